-- title: Languages of countries on the web and among people
-- cai: sections 3.2.4.2 and 5.4.1
-- note: share is that of the pages on the country's servers. population is the share of its people who can write the language (CLDR); people may write several.
-- from: label_countries
WITH counted AS (
    SELECT country, label, pages, pages / CAST(sum(pages) OVER (PARTITION BY country) AS DOUBLE) AS share
    FROM label_countries
),
here AS (SELECT country, sum(pages) AS pages FROM label_countries GROUP BY country)
SELECT
    s.country, coalesce(c.name, s.country) AS country_name, coalesce(l.tag, s.label) AS language, coalesce(l.name, s.label) AS name,
    coalesce(p.pages, 0) AS pages, coalesce(p.share, 0.0) AS share, s.share AS population,
    coalesce(p.share, 0.0) / NULLIF(s.share, 0) AS ratio
FROM spoken AS s
JOIN here AS h ON h.country = s.country
LEFT JOIN counted AS p ON p.country = s.country AND p.label = s.label
LEFT JOIN country AS c ON c.country = s.country
LEFT JOIN language AS l ON l.label = s.label
WHERE :country = '' OR s.country = :country
ORDER BY h.pages DESC, s.country, s.share DESC, s.label
