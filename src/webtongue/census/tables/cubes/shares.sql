-- The share of each label with a 95% interval. Pages of a host are not independent, so hosts are the sampled units: the variance is that
-- of a ratio over hosts (pages of the label by pages), by the jackknife, which leaves out one host at a time and so accounts for hosts
-- with a large part of all pages. The interval is Wilson's for the effective number of independent pages (Korn and Graubard 1998). 1.96
-- grows like Student's t if the effective number of hosts is small (Kish 1965). Each page without a host is a host of its own.
-- from: host_labels, hosts
WITH hosted AS (
    SELECT label, captures AS pages, CASE WHEN host = HASH(CAST(NULL AS STRING)) THEN NULL ELSE host END AS host
    FROM host_labels
    WHERE label IS NOT NULL
),
clusters AS (
    SELECT host, CAST(pages AS DOUBLE) AS size, 1.0 AS times FROM hosts WHERE pages > 0
    UNION ALL
    SELECT NULL, 1.0, CAST(sum(pages) AS DOUBLE) FROM hosted WHERE host IS NULL HAVING count(*) > 0
),
whole AS (SELECT sum(size * times) AS pages, sum(times) AS clusters, sum(size * size * times) AS squares FROM clusters),
-- weight: the squared jackknife factor of the host; 1 for a host that has all pages.
weighted AS (
    SELECT
        c.host, c.size, c.times,
        CASE WHEN c.size >= w.pages THEN 1.0 ELSE 1 / ((1 - c.size / w.pages) * (1 - c.size / w.pages)) END AS weight
    FROM clusters AS c
    CROSS JOIN whole AS w
),
squared AS (SELECT sum(weight * size * size * times) AS squares FROM weighted),
single AS (SELECT max(CASE WHEN host IS NULL THEN weight END) AS weight FROM weighted),
sums AS (
    SELECT
        p.label, CAST(sum(p.pages) AS DOUBLE) AS pages, count(*) AS hosts,
        sum(CASE WHEN p.host IS NULL THEN s.weight ELSE h.weight * p.pages END * p.pages) AS own,
        sum(CASE WHEN p.host IS NULL THEN s.weight ELSE h.weight * h.size END * p.pages) AS crossed
    FROM hosted AS p
    LEFT JOIN weighted AS h ON h.host = p.host
    CROSS JOIN single AS s
    GROUP BY p.label
),
rated AS (
    SELECT
        s.label, s.pages, s.hosts, w.pages AS total, w.clusters, s.pages / w.pages AS share,
        greatest(w.pages * w.pages / w.squares - 1, 1.0) AS degrees,
        (s.own - 2 * s.pages / w.pages * s.crossed + s.pages / w.pages * s.pages / w.pages * q.squares) / (w.pages * w.pages) AS variance
    FROM sums AS s
    CROSS JOIN whole AS w
    CROSS JOIN squared AS q
),
weighed AS (
    SELECT
        *,
        CASE
            WHEN clusters < 2 THEN 1.0
            WHEN share >= 1 OR variance <= 0 THEN clusters
            ELSE greatest(1.0, least(total, share * (1 - share) / variance))
        END AS effective,
        1.96 + 2.37 / degrees + 2.82 / (degrees * degrees) + 2.56 / (degrees * degrees * degrees) AS z
    FROM rated
)
SELECT
    label, CAST(pages AS BIGINT) AS pages, hosts, share, effective,
    greatest(0.0, (share + z * z / (2 * effective) - z * sqrt(share * (1 - share) / effective
        + z * z / (4 * effective * effective))) / (1 + z * z / effective)) AS low,
    least(1.0, (share + z * z / (2 * effective) + z * sqrt(share * (1 - share) / effective
        + z * z / (4 * effective * effective))) / (1 + z * z / effective)) AS high
FROM weighed
