-- The relations of a census over its Parquet files. store.py replaces {rows} and {links} by table functions that read them.

-- name: rows
-- A row for each capture, as written.
SELECT * FROM {rows}

-- name: links
SELECT * FROM {links}

-- name: captures
-- All rows. is_page: the capture counts as a page, because it was identified and has status 200.
SELECT *, status = 'identified' AND fetch_status = 200 AS is_page FROM rows

-- name: portals
-- Captures as Cai (2009) counts them: one home page per server, that with the smallest URL. A row without an IP address counts by
-- its host.
SELECT *, is_home AND row_number() OVER (
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
-- What was extracted from a page before it was identified; the text only with --keep-text.
SELECT
    ip, url, fetch_time, warc_filename, warc_record_offset, declared_language, declared_encoding,
    content_charset AS encoding, text_bytes, letters, text
FROM pages

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
