-- Pages of each label.
-- from: answers
SELECT label, max(tier) AS tier, sum(pages) AS pages, sum(CASE WHEN reliable THEN pages ELSE 0 END) AS reliable
FROM answers
GROUP BY label
