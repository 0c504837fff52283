-- title: Pages by how many languages they hold
-- note: Languages with 5% of the running text or more; 0 where no language was found.
-- from: answers, mixtures
WITH counted AS (
    SELECT languages, sum(pages) AS pages FROM answers WHERE languages < 2 GROUP BY languages
    UNION ALL
    SELECT languages, sum(pages) FROM mixtures GROUP BY languages
)
SELECT languages, pages, pages / CAST(sum(pages) OVER () AS DOUBLE) AS share
FROM counted
ORDER BY languages
