-- title: Declared encodings and those found
-- note: An empty cell: none was declared, or none was found.
-- from: answers
SELECT coalesce(encoding_declared, '') AS declared, coalesce(encoding, '') AS found, sum(pages) AS pages
FROM answers
GROUP BY ALL
ORDER BY pages DESC, declared, found
LIMIT :limit
