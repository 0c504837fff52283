-- The relations of a census over its Parquet files. store.py replaces {rows} and {links} by table functions that read them.

-- name: rows
-- A row for each capture, as written.
SELECT * FROM {rows}

-- name: links
SELECT * FROM {links}

-- name: captures
-- All rows. is_page: the capture counts as a page, because it was identified and has status 200. weight: the captures that a row
-- stands for, which is 1 except in estimates.
SELECT *, 1 AS weight, status = 'identified' AND fetch_status = 200 AS is_page FROM rows

-- name: estimated
-- The sampled captures of an estimate, whose rows have a weight.
SELECT *, status = 'identified' AND fetch_status = 200 AS is_page FROM rows

-- name: portals
-- Captures as Cai (2009) counts them: one home page per server, that with the smallest URL. A row without an IP address counts by
-- its host.
SELECT *, 1 AS weight, is_home AND row_number() OVER (
    PARTITION BY is_home, server ORDER BY url, warc_filename, warc_record_offset
) = 1 AS is_page
FROM (
    SELECT
        *,
        coalesce(ip, url_host_name) AS server,
        coalesce(
            status = 'identified' AND fetch_status = 200 AND MATCHES(url, '^[^:/?#]+://[^/?#]*/?([?#].*)?$'), false
        ) AS is_home
    FROM rows
)

-- name: pages
SELECT * FROM captures WHERE is_page

-- name: counts
-- The only definitions of what is counted, in one row; tables, reports and comparisons read them here (docs/tables.md).
-- captures: all rows. pages: captures with is_page. reliable_pages and unreliable_pages: pages by their answer. little_text_pages:
-- pages with fewer than 60 letters. labels: distinct labels of pages, without und, zxx and mul. languages: distinct languages of
-- these labels, so that one language in two scripts counts once. hosts and domains: distinct ones of pages. servers: distinct IP addresses of
-- captures of every status. countries: known countries of servers; the first by alphabet if an address has several.
SELECT c.*, s.servers, s.countries
FROM (
    SELECT
        CAST(coalesce(sum(weight), 0) AS BIGINT) AS captures,
        CAST(coalesce(sum(CASE WHEN status = 'identified' THEN weight END), 0) AS BIGINT) AS identified,
        CAST(coalesce(sum(CASE WHEN status = 'failed' THEN weight END), 0) AS BIGINT) AS failed,
        CAST(coalesce(sum(CASE WHEN is_page THEN weight END), 0) AS BIGINT) AS pages,
        CAST(coalesce(sum(CASE WHEN is_page AND reliable THEN weight END), 0) AS BIGINT) AS reliable_pages,
        CAST(coalesce(sum(CASE WHEN is_page AND NOT coalesce(reliable, false) THEN weight END), 0) AS BIGINT) AS unreliable_pages,
        CAST(coalesce(sum(CASE WHEN is_page AND letters < 60 THEN weight END), 0) AS BIGINT) AS little_text_pages,
        count(DISTINCT CASE WHEN is_page AND label NOT IN ('und', 'zxx', 'mul') THEN split_part(label, '_', 1) END) AS languages,
        count(DISTINCT CASE WHEN is_page AND label NOT IN ('und', 'zxx', 'mul') THEN label END) AS labels,
        count(DISTINCT CASE WHEN is_page THEN url_host_name END) AS hosts,
        count(DISTINCT CASE WHEN is_page THEN url_host_registered_domain END) AS domains,
        min(fetch_time) AS first_fetch, max(fetch_time) AS last_fetch
    FROM captures
) AS c
CROSS JOIN (
    SELECT count(*) AS servers, count(DISTINCT country) AS countries
    FROM (SELECT min(country) AS country FROM captures WHERE ip IS NOT NULL GROUP BY ip)
) AS s

-- name: server
-- Servers with their IP numbers: 256^3 W + 256^2 X + 256 Y + Z for the IPv4 address W.X.Y.Z (Cai 2009, table 3-1). IPv6 addresses have
-- no number, because it does not fit into the integers of most programs.
SELECT
    ip,
    CASE WHEN ip_version = 4 THEN
        CAST(split_part(ip, '.', 1) AS BIGINT) * 16777216 + CAST(split_part(ip, '.', 2) AS BIGINT) * 65536
        + CAST(split_part(ip, '.', 3) AS BIGINT) * 256 + CAST(split_part(ip, '.', 4) AS BIGINT)
    END AS ip_number,
    ip_version
FROM (
    SELECT
        ip,
        CASE
            WHEN MATCHES(ip, '^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\.|$)){4}$') AND ip NOT LIKE '%.' THEN 4
            WHEN MATCHES(ip, '^[0-9a-fA-F.]*:[0-9a-fA-F:.]*$') THEN 6
        END AS ip_version
    FROM (SELECT DISTINCT ip FROM rows WHERE ip IS NOT NULL)
)

-- name: extracted_content
-- What was extracted from a page before it was identified; title, metadata and text only with --keep-text.
SELECT
    ip, url, fetch_time, warc_filename, warc_record_offset, declared_language, declared_encoding,
    content_charset AS encoding, text_bytes, letters, title, metadata, text
FROM pages

-- name: geoip
-- The ranges of the IP-to-country file that contain a server, with the numbers of their first and last IPv4 address. IPv6 ranges
-- have no numbers.
SELECT
    ip_network, country, start_number AS start_ip_number,
    start_number + CAST(pow(2, 32 - prefix_bits) AS BIGINT) - 1 AS end_ip_number
FROM (
    SELECT
        ip_network, country, CAST(split_part(ip_network, '/', 2) AS INTEGER) AS prefix_bits,
        CASE WHEN MATCHES(ip_network, '^[0-9.]+/[0-9]+$') THEN
            CAST(split_part(ip_network, '.', 1) AS BIGINT) * 16777216 + CAST(split_part(ip_network, '.', 2) AS BIGINT) * 65536
            + CAST(split_part(ip_network, '.', 3) AS BIGINT) * 256
            + CAST(split_part(split_part(ip_network, '/', 1), '.', 4) AS BIGINT)
        END AS start_number
    FROM (SELECT DISTINCT ip_network, country FROM rows WHERE ip_network IS NOT NULL)
)

-- name: geo
-- Servers with a known country.
SELECT s.ip, s.ip_number, c.country
FROM (SELECT ip, min(country) AS country FROM rows WHERE ip IS NOT NULL AND country IS NOT NULL GROUP BY ip) AS c
JOIN server AS s ON s.ip = c.ip

-- name: country_distribution
-- All servers, whatever the status of their responses; ZZ is an unknown country.
SELECT s.ip, s.ip_number, coalesce(g.country, 'ZZ') AS country
FROM server AS s LEFT JOIN geo AS g ON g.ip = s.ip

-- name: language_distribution
-- All pages with their language and the source with most evidence for it.
SELECT ip, url, label, confidence, reliable, reason, identified_by AS identified_type FROM pages
