-- title: Pages by number of languages
-- note: Languages with 5% of the running text or more; 0 for pages without a language.
-- from: answers, mixtures
WITH several AS (SELECT languages, sum(pages) AS pages FROM mixtures GROUP BY languages),
counted AS (
    SELECT 0 AS languages, sum(pages) - sum(with_languages) AS pages FROM answers
    UNION ALL
    SELECT 1, sum(a.with_languages) - max(s.pages)
    FROM answers AS a
    CROSS JOIN (SELECT coalesce(sum(pages), 0) AS pages FROM several) AS s
    UNION ALL
    SELECT languages, pages FROM several
)
SELECT languages, sum(pages) AS pages, sum(pages) / CAST(sum(sum(pages)) OVER () AS DOUBLE) AS share
FROM counted
WHERE pages > 0
GROUP BY languages
ORDER BY languages
