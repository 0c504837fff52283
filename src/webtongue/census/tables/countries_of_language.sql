-- title: Countries of languages
-- cai: table 5-6
-- note: By the country of the server. Shares are of the language's pages.
-- from: label_countries
WITH counted AS (
    SELECT label, country, pages, sum(pages) OVER (PARTITION BY label) AS of_label
    FROM label_countries
)
SELECT
    p.label, coalesce(l.name, p.label) AS name, p.country, coalesce(c.name, p.country) AS country_name, p.pages,
    p.pages / CAST(p.of_label AS DOUBLE) AS share
FROM counted AS p
LEFT JOIN country AS c ON c.country = p.country
LEFT JOIN language AS l ON l.label = p.label
WHERE :label = '' OR p.label = :label
ORDER BY p.of_label DESC, p.label, p.pages DESC, p.country
