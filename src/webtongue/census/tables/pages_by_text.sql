-- title: Pages by amount of text
-- note: reliable is the number of pages with a reliable answer, with_language the number of pages with any language. The language of a page with fewer than 60 letters comes mostly from its URL, its host and its links.
-- from: measured
WITH pages_by_letters AS (
    SELECT
        CASE WHEN letters < 60 THEN 1 WHEN letters < 200 THEN 2 WHEN letters >= 200 THEN 3 ELSE 4 END AS place,
        CASE WHEN letters < 60 THEN 'under 60' WHEN letters < 200 THEN '60 to 199' WHEN letters >= 200 THEN '200 or more' ELSE '' END AS letters,
        weight, reliable, label
    FROM captures
    WHERE is_page
),
counted AS (
    SELECT
        place, letters, CAST(sum(weight) AS BIGINT) AS pages,
        CAST(coalesce(sum(CASE WHEN reliable THEN weight END), 0) AS BIGINT) AS reliable,
        CAST(coalesce(sum(CASE WHEN label NOT IN ('und', 'zxx', 'mul') THEN weight END), 0) AS BIGINT) AS with_language
    FROM pages_by_letters
    GROUP BY place, letters
)
SELECT letters, pages, reliable, with_language, pages / CAST(sum(pages) OVER () AS DOUBLE) AS share
FROM counted
ORDER BY place
