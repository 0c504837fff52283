-- What is compared in two censuses, by host and label, and the sums over hosts from which the variance of a change is computed.
-- The first queries are the things that can be compared; {census} is a or b.

-- name: languages
SELECT coalesce(url_host_name, '') AS host, coalesce(label, 'und') AS label, max(coalesce(tier, 0)) AS tier, count(*) AS pages
FROM captures_{census}
WHERE is_page
GROUP BY ALL

-- name: countries
SELECT coalesce(url_host_name, '') AS host, coalesce(country, 'ZZ') AS label, 0 AS tier, count(*) AS pages
FROM captures_{census}
WHERE is_page
GROUP BY ALL

-- name: places
-- A language in a country.
SELECT
    coalesce(url_host_name, '') AS host, concat(coalesce(country, 'ZZ'), ' ', coalesce(label, 'und')) AS label,
    max(coalesce(tier, 0)) AS tier, count(*) AS pages
FROM captures_{census}
WHERE is_page
GROUP BY ALL

-- name: servers
-- Here a server is the sampled unit and counts once, whatever the status of its responses.
SELECT ip AS host, min(coalesce(country, 'ZZ')) AS label, 0 AS tier, 1 AS pages
FROM captures_{census}
WHERE ip IS NOT NULL
GROUP BY ip

-- name: servers_of_both
SELECT count(*) AS servers_of_both
FROM (SELECT DISTINCT ip FROM captures_a) AS a
JOIN (SELECT DISTINCT ip FROM captures_b) AS b ON b.ip = a.ip

-- name: hosts
-- factor_a and factor_b: the jackknife factor of the host, as in cubes/shares.sql; 1 for a host that has all pages.
WITH hosted AS (
    SELECT coalesce(a.host, b.host) AS host, coalesce(a.pages, 0) AS a, coalesce(b.pages, 0) AS b
    FROM (SELECT host, CAST(sum(pages) AS DOUBLE) AS pages FROM pages_a GROUP BY host) AS a
    FULL OUTER JOIN (SELECT host, CAST(sum(pages) AS DOUBLE) AS pages FROM pages_b GROUP BY host) AS b ON b.host = a.host
),
sized AS (
    SELECT *, CASE WHEN host = '' THEN 1.0 ELSE a END AS size_a, CASE WHEN host = '' THEN 1.0 ELSE b END AS size_b
    FROM hosted
),
whole AS (SELECT sum(a) AS a, sum(b) AS b FROM hosted)
SELECT
    s.host, s.a, s.b,
    CASE WHEN s.size_a >= w.a THEN 1.0 ELSE 1 / (1 - s.size_a / w.a) END AS factor_a,
    CASE WHEN s.size_b >= w.b THEN 1.0 ELSE 1 / (1 - s.size_b / w.b) END AS factor_b
FROM sized AS s
CROSS JOIN whole AS w

-- name: whole
-- Each page without a host is a host of its own, here and below, that is in one census only.
SELECT
    sum(a) AS pages_a, sum(b) AS pages_b, sum(CASE WHEN host = '' THEN a + b ELSE 1.0 END) AS hosts,
    sum(factor_a * factor_a * CASE WHEN host = '' THEN 1.0 ELSE a END * a) AS aa,
    sum(factor_b * factor_b * CASE WHEN host = '' THEN 1.0 ELSE b END * b) AS bb,
    sum(factor_a * factor_b * CASE WHEN host = '' THEN 0.0 ELSE a * b END) AS ab,
    count(CASE WHEN a > 0 AND b > 0 AND host <> '' THEN 1 END) AS hosts_of_both
FROM hosts

-- name: labels
-- y: pages of the label, m: pages of the host, in either census. squares: for the effective number of hosts (Kish 1965).
SELECT
    y.label, max(y.tier) AS tier, sum(y.a) AS pages_a, sum(y.b) AS pages_b,
    sum(CASE WHEN y.host = '' THEN y.a + y.b ELSE 1.0 END) AS hosts,
    sum(CASE WHEN y.host = '' THEN 1.0 ELSE y.a + y.b END * (y.a + y.b)) AS squares,
    sum(m.factor_a * m.factor_a * CASE WHEN y.host = '' THEN 1.0 ELSE y.a END * y.a) AS aa,
    sum(m.factor_b * m.factor_b * CASE WHEN y.host = '' THEN 1.0 ELSE y.b END * y.b) AS bb,
    sum(m.factor_a * m.factor_b * CASE WHEN y.host = '' THEN 0.0 ELSE y.a * y.b END) AS ab,
    sum(m.factor_a * m.factor_a * CASE WHEN y.host = '' THEN 1.0 ELSE m.a END * y.a) AS ama,
    sum(m.factor_b * m.factor_b * CASE WHEN y.host = '' THEN 1.0 ELSE m.b END * y.b) AS bmb,
    sum(m.factor_a * m.factor_b * CASE WHEN y.host = '' THEN 0.0 ELSE y.a * m.b END) AS amb,
    sum(m.factor_a * m.factor_b * CASE WHEN y.host = '' THEN 0.0 ELSE y.b * m.a END) AS bma
FROM (
    SELECT
        coalesce(a.host, b.host) AS host, coalesce(a.label, b.label) AS label, greatest(coalesce(a.tier, 0), coalesce(b.tier, 0)) AS tier,
        CAST(coalesce(a.pages, 0) AS DOUBLE) AS a, CAST(coalesce(b.pages, 0) AS DOUBLE) AS b
    FROM pages_a AS a
    FULL OUTER JOIN pages_b AS b ON b.host = a.host AND b.label = a.label
) AS y
JOIN hosts AS m ON m.host = y.host
GROUP BY y.label
ORDER BY y.label
