-- Pages of each label.
-- from: answers
SELECT
    label, coalesce(max(tier), 0) AS tier, sum(pages) AS pages, sum(reliable) AS reliable, sum(short) AS short,
    sum(middling) AS middling, sum(long) AS long
FROM answers
GROUP BY label
