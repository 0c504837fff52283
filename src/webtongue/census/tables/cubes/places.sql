-- Pages by label, country of the server and top level domain.
SELECT label, country, url_host_tld AS tld, count(*) AS pages
FROM captures
WHERE is_page
GROUP BY ALL
