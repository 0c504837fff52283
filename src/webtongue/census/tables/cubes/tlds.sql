-- Pages by top level domain and label.
SELECT coalesce(url_host_tld, '') AS tld, coalesce(label, 'und') AS label, count(*) AS pages
FROM captures
WHERE is_page
GROUP BY ALL
