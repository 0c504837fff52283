-- title: Answers changed by the second pass
-- note: Mean confidence before and after.
SELECT
    first_label, label, count(*) AS pages, avg(CAST(first_confidence AS DOUBLE)) AS confidence_before,
    avg(CAST(confidence AS DOUBLE)) AS confidence_after
FROM captures
WHERE is_page AND first_label IS NOT NULL
GROUP BY first_label, label
ORDER BY pages DESC, first_label, label
LIMIT :limit
