-- Pages of each host, and how many languages they are in.
-- from: host_labels
SELECT host, sum(pages) AS pages, sum(CASE WHEN label IN ('und', 'zxx', 'mul') THEN 0 ELSE 1 END) AS languages
FROM host_labels
GROUP BY host
