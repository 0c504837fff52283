-- title: Languages within countries
-- cai: table 5-5, figure 5-5
-- note: By the country of the server. Shares are of the country's pages.
-- from: label_countries
WITH counted AS (
    SELECT country, label, pages, sum(pages) OVER (PARTITION BY country) AS of_country
    FROM label_countries
)
SELECT
    p.country, coalesce(c.name, p.country) AS country_name, p.label, coalesce(l.name, p.label) AS name, p.pages,
    p.pages / CAST(p.of_country AS DOUBLE) AS share
FROM counted AS p
LEFT JOIN country AS c ON c.country = p.country
LEFT JOIN language AS l ON l.label = p.label
WHERE :country = '' OR p.country = :country
ORDER BY p.of_country DESC, p.country, p.pages DESC, p.label
