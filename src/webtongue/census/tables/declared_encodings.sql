-- title: Declared and detected encodings
-- note: An empty cell means that none was declared or detected.
-- from: answers
SELECT coalesce(declared_encoding, '') AS declared, coalesce(encoding, '') AS found, sum(pages) AS pages
FROM answers
GROUP BY ALL
ORDER BY pages DESC, declared, found
LIMIT :limit
