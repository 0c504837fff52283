-- Pages by top level domain and label.
-- from: places
SELECT coalesce(tld, '') AS tld, coalesce(label, 'und') AS label, sum(pages) AS pages
FROM places
GROUP BY ALL
