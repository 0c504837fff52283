-- Predictions for the addresses of an index, which frame.py runs on DuckDB. $name stands for a constant of frame.py.

-- name: hosts
-- The main language of each host: that with the largest sum of probabilities; support is that sum by address.
SELECT host, arg_max(label, (mass, -label)) AS label, max(mass) / max(addresses) AS support, max(addresses) AS addresses
FROM (
    SELECT host, label, sum(probability) AS mass, sum(count(*)) OVER (PARTITION BY host) AS addresses
    FROM addresses
    GROUP BY host, label
)
GROUP BY host

-- name: predictions
-- One prediction for each address, by the rules of docs/estimate.md; classes are numbered as in strata.py.
SELECT
    CASE class WHEN 0 THEN declared WHEN 1 THEN label WHEN 2 THEN host_label WHEN 3 THEN host_label ELSE label END AS label,
    CASE class WHEN 0 THEN $declared_probability WHEN 1 THEN probability WHEN 4 THEN probability ELSE support END AS probability,
    class, national, addresses >= $large_host AS large, host, file, "offset", length
FROM (
    SELECT
        a.*, h.label AS host_label, h.support, h.addresses,
        CASE
            WHEN a.declared >= 0 THEN 0
            WHEN a.label >= 0 AND a.probability >= $sure_url THEN 1
            WHEN h.label >= 0 AND h.support >= $sure_host THEN 2
            WHEN h.label >= 0 AND h.support >= $weak_host THEN 3
            ELSE 4
        END AS class
    FROM addresses AS a
    JOIN hosts AS h ON h.host = a.host
)

-- name: cells
SELECT label, class, national, large, count(*) AS pages, avg(probability) AS probability
FROM predictions
GROUP BY ALL
ORDER BY ALL

-- name: stratum_hosts
-- The hosts of each stratum with their numbers of pages, in an order that does not depend on threads.
SELECT c.stratum, p.host, count(*) AS pages
FROM predictions AS p
JOIN cells AS c ON (c.label, c.class, c.national, c.large) = (p.label, p.class, p.national, p.large)
GROUP BY ALL
ORDER BY ALL

-- name: records
-- The fetched pages: of each drawn host, as many as were drawn, in an order that depends on the seed.
SELECT place, stratum, pages, label, class, file, "offset", length
FROM (
    SELECT
        d.place, d.stratum, d.pages, d.fetches, p.label, p.class, p.file, p."offset", p.length,
        row_number() OVER (
            PARTITION BY d.place ORDER BY hash(p.file, p."offset", CAST($seed AS BIGINT)), p.file, p."offset"
        ) AS number
    FROM drawn AS d
    JOIN cells AS c ON c.stratum = d.stratum
    JOIN predictions AS p ON p.host = d.host AND (c.label, c.class, c.national, c.large) = (p.label, p.class, p.national, p.large)
)
WHERE number <= fetches
ORDER BY stratum, place, number
