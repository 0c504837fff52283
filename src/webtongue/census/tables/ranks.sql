-- title: Ranks of languages and of their home countries
-- cai: section 5.3.1
-- note: The home country of a language is that of CLDR's likely subtags. country_rank is by servers.
-- from: labels, servers
WITH spread AS (
    SELECT country, servers, row_number() OVER (ORDER BY servers DESC, country) AS country_rank
    FROM servers
    WHERE country <> 'ZZ'
),
ranked AS (
    SELECT label, pages, row_number() OVER (ORDER BY pages DESC, label) AS rank
    FROM labels
    WHERE label NOT IN ('und', 'zxx', 'mul')
)
SELECT
    r.rank, r.label, coalesce(l.name, r.label) AS name, r.pages, coalesce(l.home, '') AS country,
    coalesce(c.name, l.home, '') AS country_name, s.servers, s.country_rank
FROM ranked AS r
LEFT JOIN language AS l ON l.label = r.label
LEFT JOIN country AS c ON c.country = l.home
LEFT JOIN spread AS s ON s.country = l.home
ORDER BY r.rank
