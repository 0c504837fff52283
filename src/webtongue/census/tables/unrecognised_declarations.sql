-- title: Declared languages that name none
-- cai: section 6.2.1
-- from: answers
SELECT language_unrecognised AS code, sum(pages) AS pages
FROM answers
WHERE language_unrecognised IS NOT NULL AND language_unrecognised <> ''
GROUP BY language_unrecognised
ORDER BY pages DESC, code
LIMIT :limit
