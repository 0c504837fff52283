-- title: Summary
-- note: reliable is the share of pages with a reliable answer. Times are UTC.
-- from: kinds, hosts, domain_labels, servers, labels
WITH captured AS (
    SELECT
        coalesce(sum(captures), 0) AS captures,
        coalesce(sum(CASE WHEN status = 'identified' THEN captures END), 0) AS identified,
        coalesce(sum(CASE WHEN is_page THEN captures END), 0) AS pages,
        coalesce(sum(CASE WHEN status = 'failed' THEN captures END), 0) AS failed,
        min(first_fetch) AS first_fetch, max(last_fetch) AS last_fetch
    FROM kinds
),
hosted AS (SELECT count(*) AS hosts FROM hosts),
registered AS (SELECT count(DISTINCT domain) AS domains FROM domain_labels),
served AS (
    SELECT coalesce(sum(servers), 0) AS servers, count(CASE WHEN country <> 'ZZ' THEN 1 END) AS countries FROM servers
),
answered AS (
    SELECT
        count(CASE WHEN label NOT IN ('und', 'zxx', 'mul') THEN 1 END) AS languages,
        sum(reliable) / CAST(NULLIF(sum(pages), 0) AS DOUBLE) AS reliable
    FROM labels
)
SELECT what, value
FROM (
    SELECT 1 AS place, 'captures' AS what, CAST(captures AS STRING) AS value FROM captured
    UNION ALL SELECT 2, 'identified', CAST(identified AS STRING) FROM captured
    UNION ALL SELECT 3, 'pages', CAST(pages AS STRING) FROM captured
    UNION ALL SELECT 4, 'hosts', CAST(hosts AS STRING) FROM hosted
    UNION ALL SELECT 5, 'domains', CAST(domains AS STRING) FROM registered
    UNION ALL SELECT 6, 'servers', CAST(servers AS STRING) FROM served
    UNION ALL SELECT 7, 'countries', CAST(countries AS STRING) FROM served
    UNION ALL SELECT 8, 'languages', CAST(languages AS STRING) FROM answered
    UNION ALL SELECT 9, 'reliable', CAST(reliable AS STRING) FROM answered
    UNION ALL SELECT 10, 'failed', CAST(failed AS STRING) FROM captured
    UNION ALL SELECT 11, 'first_fetch', replace(CAST(first_fetch AS STRING), '+00', '') FROM captured
    UNION ALL SELECT 12, 'last_fetch', replace(CAST(last_fetch AS STRING), '+00', '') FROM captured
)
ORDER BY place
