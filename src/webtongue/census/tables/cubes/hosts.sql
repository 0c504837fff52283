-- Every host: its pages, and how many languages they are in. A host whose captures are no pages has none. What has no host is not here.
-- from: host_labels
SELECT
    host, sum(CASE WHEN label IS NULL THEN 0 ELSE captures END) AS pages,
    sum(CASE WHEN label IS NULL OR label IN ('und', 'zxx', 'mul') THEN 0 ELSE 1 END) AS languages
FROM host_labels
WHERE host <> HASH(CAST(NULL AS STRING))
GROUP BY host
