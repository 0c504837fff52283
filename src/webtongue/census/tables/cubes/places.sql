-- Pages by label, country of the server and top level domain.
SELECT label, country, url_host_tld AS tld, CAST(sum(weight) AS BIGINT) AS pages
FROM captures
WHERE is_page
GROUP BY ALL
