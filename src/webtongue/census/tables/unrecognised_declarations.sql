-- title: Declared codes that are not languages
-- cai: section 6.2.1
-- from: answers
SELECT unrecognised_language AS code, sum(pages) AS pages
FROM answers
WHERE unrecognised_language IS NOT NULL AND unrecognised_language <> ''
GROUP BY unrecognised_language
ORDER BY pages DESC, code
LIMIT :limit
