-- title: Declared and identified languages
-- note: reliable is the number of pages with a reliable answer.
-- from: answers, measured
SELECT
    a.declared_language AS declared, a.label AS found, coalesce(max(l.name), a.label) AS name, sum(a.pages) AS pages,
    sum(a.reliable) AS reliable
FROM answers AS a
LEFT JOIN language AS l ON l.label = a.label
WHERE a.declared_language IS NOT NULL AND a.declared_language <> ''
GROUP BY a.declared_language, a.label
ORDER BY pages DESC, declared, found
LIMIT :limit
