-- title: Encodings by language
-- from: answers
WITH counted AS (
    SELECT label, coalesce(encoding, '') AS encoding, sum(pages) AS pages
    FROM answers
    GROUP BY ALL
),
shared AS (SELECT label, encoding, pages, sum(pages) OVER (PARTITION BY label) AS of_label FROM counted)
SELECT e.label, coalesce(l.name, e.label) AS name, e.encoding, e.pages, e.pages / CAST(e.of_label AS DOUBLE) AS share
FROM shared AS e
LEFT JOIN language AS l ON l.label = e.label
WHERE :label = '' OR e.label = :label
ORDER BY e.of_label DESC, e.label, e.pages DESC, e.encoding
