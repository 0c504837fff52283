-- The share of each label with a 95% interval. Pages of a host go together, so hosts are what was sampled: the variance is that of a
-- ratio over hosts (pages of the label by pages), and the interval is Wilson's for as many independent pages as would have that variance
-- (Korn and Graubard 1998). Pages without a host stand each for itself. 1.96 grows as Student's t does where hosts are few.
-- from: host_labels, hosts
WITH whole AS (
    SELECT
        CAST(sum(pages) AS DOUBLE) AS pages,
        CAST(sum(CASE WHEN host = '' THEN pages ELSE 1 END) AS DOUBLE) AS hosts,
        sum(CASE WHEN host = '' THEN 1.0 ELSE CAST(pages AS DOUBLE) END * pages) AS squares
    FROM hosts
),
sums AS (
    SELECT
        p.label, CAST(sum(p.pages) AS DOUBLE) AS pages, count(*) AS hosts,
        sum(CASE WHEN p.host = '' THEN 1.0 ELSE CAST(p.pages AS DOUBLE) END * p.pages) AS own,
        sum(CASE WHEN p.host = '' THEN 1.0 ELSE CAST(h.pages AS DOUBLE) END * p.pages) AS crossed
    FROM host_labels AS p
    JOIN hosts AS h ON h.host = p.host
    GROUP BY p.label
),
rated AS (
    SELECT
        s.label, s.pages, s.hosts, w.pages AS total, w.hosts AS clusters, s.pages / w.pages AS share,
        w.hosts / NULLIF(w.hosts - 1, 0)
        * (s.own - 2 * s.pages / w.pages * s.crossed + s.pages / w.pages * s.pages / w.pages * w.squares)
        / (w.pages * w.pages) AS variance
    FROM sums AS s
    CROSS JOIN whole AS w
),
weighed AS (
    SELECT
        *,
        CASE
            WHEN clusters < 2 THEN 1.0
            WHEN share >= 1 OR variance <= 0 THEN clusters
            ELSE greatest(1.0, least(total, share * (1 - share) / variance))
        END AS effective,
        1.96 + 2.37 / greatest(clusters - 1, 1) + 2.82 / (greatest(clusters - 1, 1) * greatest(clusters - 1, 1)) AS z
    FROM rated
)
SELECT
    label, CAST(pages AS BIGINT) AS pages, hosts, share, effective,
    greatest(0.0, (share + z * z / (2 * effective) - z * sqrt(share * (1 - share) / effective
        + z * z / (4 * effective * effective))) / (1 + z * z / effective)) AS low,
    least(1.0, (share + z * z / (2 * effective) + z * sqrt(share * (1 - share) / effective
        + z * z / (4 * effective * effective))) / (1 + z * z / effective)) AS high
FROM weighed
