-- title: Encodings by language
-- from: answers
WITH counted AS (
    SELECT label, coalesce(encoding, '') AS encoding, sum(pages) AS pages
    FROM answers
    GROUP BY ALL
)
SELECT
    e.label, coalesce(l.name, e.label) AS name, e.encoding, e.pages,
    e.pages / CAST(sum(e.pages) OVER (PARTITION BY e.label) AS DOUBLE) AS share
FROM counted AS e
LEFT JOIN language AS l ON l.label = e.label
WHERE :label = '' OR e.label = :label
ORDER BY sum(e.pages) OVER (PARTITION BY e.label) DESC, e.label, e.pages DESC, e.encoding
