-- Pages and number of languages of each host, 0 for a host without pages. Captures without a host are excluded.
-- from: host_labels
SELECT
    host, sum(CASE WHEN label IS NULL THEN 0 ELSE captures END) AS pages,
    count(DISTINCT CASE WHEN label NOT IN ('und', 'zxx', 'mul') THEN split_part(label, '_', 1) END) AS languages
FROM host_labels
WHERE host <> HASH(CAST(NULL AS STRING))
GROUP BY host
