-- title: Top foreign language of each country
-- cai: section 3.2.4.2
-- note: A language is foreign if it is not official in the country or a part of it (CLDR); in countries without an official language, if it is not the most spoken one.
-- from: label_countries
WITH counted AS (
    SELECT country, label, pages, pages / CAST(sum(pages) OVER (PARTITION BY country) AS DOUBLE) AS share
    FROM label_countries
),
official AS (SELECT country, label FROM spoken WHERE official),
ranked AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.country ORDER BY p.pages DESC, p.label) AS place
    FROM counted AS p
    LEFT JOIN official AS o ON o.country = p.country AND o.label = p.label
    WHERE o.label IS NULL AND p.label NOT IN ('und', 'zxx', 'mul') AND p.country <> 'ZZ'
)
SELECT
    r.country, coalesce(c.name, r.country) AS country_name, r.label, coalesce(l.name, r.label) AS name, r.pages, r.share
FROM ranked AS r
LEFT JOIN country AS c ON c.country = r.country
LEFT JOIN language AS l ON l.label = r.label
WHERE r.place = 1
ORDER BY r.pages DESC, r.country
