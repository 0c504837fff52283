-- Pages by host and label.
-- from: places
SELECT host, label, sum(captures) AS pages
FROM places
WHERE label IS NOT NULL
GROUP BY host, label
