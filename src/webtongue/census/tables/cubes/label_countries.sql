-- Pages by label and country of the server.
-- from: places
SELECT coalesce(label, 'und') AS label, coalesce(country, 'ZZ') AS country, sum(pages) AS pages
FROM places
GROUP BY ALL
