-- title: Languages that share a page
-- note: label is the larger one on the page. Of more than four languages on a page, the four largest count.
-- from: mixtures
WITH pairs AS (
    SELECT one AS label, two AS other, pages FROM mixtures
    UNION ALL SELECT one, three, pages FROM mixtures
    UNION ALL SELECT one, four, pages FROM mixtures
    UNION ALL SELECT two, three, pages FROM mixtures
    UNION ALL SELECT two, four, pages FROM mixtures
    UNION ALL SELECT three, four, pages FROM mixtures
)
SELECT label, other, sum(pages) AS pages
FROM pairs
WHERE other IS NOT NULL
GROUP BY label, other
ORDER BY pages DESC, label, other
LIMIT :limit
