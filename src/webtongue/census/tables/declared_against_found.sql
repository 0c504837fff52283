-- title: Declared languages and those found
-- note: reliable: of the pages, those whose answer is.
-- from: answers
SELECT
    a.language_declared AS declared, a.label AS found, coalesce(max(l.name), a.label) AS name, sum(a.pages) AS pages,
    sum(a.reliable) AS reliable
FROM answers AS a
LEFT JOIN language AS l ON l.label = a.label
WHERE a.language_declared IS NOT NULL AND a.language_declared <> ''
GROUP BY a.language_declared, a.label
ORDER BY pages DESC, declared, found
LIMIT :limit
