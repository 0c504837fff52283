-- The second look of a census: what the whole crawl knows of pages that were not clear. Each query begins at its "-- name".
-- Reads the views rows (part, row, and the columns of schema.py) and links; gather_duckdb.py and gather_spark.py run it. What a row said first counts, so that
-- parts which were settled before a run was killed change nothing.

-- name: hosts
-- Pages that are sure, by host and language.
CREATE OR REPLACE TEMP TABLE host_counts AS
SELECT url_host_name AS host, url_host_registered_domain AS domain, url_host_tld AS top,
    substr(coalesce(first_label, label), 1, 3) AS language, count(*) AS pages
FROM rows
WHERE status = 'identified' AND fetch_status = 200 AND coalesce(first_reliable, reliable) AND url_host_name IS NOT NULL
    AND coalesce(first_label, label) NOT IN ('und', 'zxx', 'mul')
GROUP BY 1, 2, 3, 4;

-- name: levels
-- The same for hosts, domains and top level domains, as lists; the commonest languages of each.
CREATE OR REPLACE TEMP TABLE level_counts AS
WITH counts AS (
    SELECT 'host' AS level, host AS name, language, pages FROM host_counts
    UNION ALL
    SELECT 'domain', domain, language, sum(pages) FROM host_counts WHERE domain IS NOT NULL GROUP BY domain, language
    UNION ALL
    SELECT 'top', top, language, sum(pages) FROM host_counts WHERE top IS NOT NULL GROUP BY top, language
), ranked AS (
    SELECT level, name, language, CAST(pages AS BIGINT) AS pages,
        row_number() OVER (PARTITION BY level, name ORDER BY pages DESC, language) AS place
    FROM counts
)
SELECT level, name, list({'language': language, 'pages': pages} ORDER BY language) AS languages
FROM ranked WHERE place <= $most_languages GROUP BY level, name;

-- name: unclear
-- Pages to look at again: addresses without scheme, fragment and last slash, the host in lower case.
CREATE OR REPLACE TEMP TABLE unclear AS
WITH bare AS (
    SELECT part, row, url_host_name AS host, url_host_registered_domain AS domain, url_host_tld AS top,
        regexp_replace(split_part(url, '#', 1), '^[A-Za-z][A-Za-z0-9+.-]*://|/+$', '', 'g') AS address
    FROM rows
    WHERE status = 'identified' AND fetch_status = 200 AND reading IS NOT NULL AND NOT coalesce(first_reliable, reliable)
)
SELECT part, row, host, domain, top,
    lower(split_part(address, '/', 1)) || substr(address, length(split_part(address, '/', 1)) + 1) AS address
FROM bare;

-- name: inlinks
-- Links to them, a few of each host, in one order; a page does not link to itself.
CREATE OR REPLACE TEMP TABLE inlinks AS
WITH bare AS (
    SELECT regexp_replace(split_part(url, '#', 1), '^[A-Za-z][A-Za-z0-9+.-]*://|/+$', '', 'g') AS address,
        regexp_replace(split_part(source_url, '#', 1), '^[A-Za-z][A-Za-z0-9+.-]*://|/+$', '', 'g') AS source,
        source_url, source_label, source_confidence, anchor, hreflang
    FROM links
), led AS (
    SELECT lower(split_part(address, '/', 1)) || substr(address, length(split_part(address, '/', 1)) + 1) AS address,
        lower(split_part(source, '/', 1)) AS host, source, source_url, source_label, source_confidence, anchor, hreflang
    FROM bare
), of_host AS (
    SELECT unclear.part, unclear.row, led.*,
        row_number() OVER (PARTITION BY part, row, led.host ORDER BY source_url, anchor, hreflang, source_label, source_confidence) AS place
    FROM led JOIN unclear ON led.address = unclear.address WHERE led.source <> led.address
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY part, row ORDER BY place, source_url, anchor, hreflang, source_label, source_confidence) AS number
    FROM of_host WHERE place <= $most_of_host
)
SELECT part, row,
    list({'url': source_url, 'language': source_label, 'confidence': source_confidence, 'anchor': anchor, 'hreflang': hreflang}
        ORDER BY number) AS inlinks
FROM ranked WHERE number <= $most_inlinks GROUP BY part, row;

-- name: known
-- Every page to look at again with all that is known of it: gathered before the first part is written anew.
CREATE OR REPLACE TEMP TABLE known AS
SELECT unclear.part, unclear.row, url, country, content_charset, language_declared, reading,
    coalesce(first_label, label) AS label, coalesce(first_confidence, confidence) AS confidence,
    coalesce(first_reliable, reliable) AS reliable, reason,
    by_host.languages AS of_host, by_domain.languages AS of_domain, by_top.languages AS of_top, inlinks
FROM unclear
JOIN rows ON rows.part = unclear.part AND rows.row = unclear.row
LEFT JOIN level_counts by_host ON by_host.level = 'host' AND by_host.name = unclear.host
LEFT JOIN level_counts by_domain ON by_domain.level = 'domain' AND by_domain.name = unclear.domain
LEFT JOIN level_counts by_top ON by_top.level = 'top' AND by_top.name = unclear.top
LEFT JOIN inlinks ON inlinks.part = unclear.part AND inlinks.row = unclear.row
WHERE by_host.languages IS NOT NULL OR by_domain.languages IS NOT NULL OR by_top.languages IS NOT NULL OR inlinks IS NOT NULL;
