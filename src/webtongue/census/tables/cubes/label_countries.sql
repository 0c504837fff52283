-- Pages by label and country of the server.
-- from: places
SELECT label, country, sum(captures) AS pages
FROM places
WHERE label IS NOT NULL
GROUP BY label, country
