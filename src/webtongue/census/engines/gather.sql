-- The evidence of the whole crawl for the second pass of a census. Each query starts at its "-- name". The queries read the views rows
-- (part, row, and the columns of schema.py) and links; gather_duckdb.py and gather_spark.py run them. The first answer of a row counts,
-- so that parts which a killed run had already rewritten do not change the result.

-- name: hosts
-- Reliable pages by host and language.
CREATE OR REPLACE TEMP TABLE host_counts AS
SELECT url_host_name AS host, url_host_registered_domain AS domain, url_host_tld AS tld,
    substr(coalesce(first_label, label), 1, 3) AS language, count(*) AS pages
FROM rows
WHERE status = 'identified' AND fetch_status = 200 AND coalesce(first_reliable, reliable) AND url_host_name IS NOT NULL
    AND coalesce(first_label, label) NOT IN ('und', 'zxx', 'mul')
GROUP BY 1, 2, 3, 4;

-- name: levels
-- Reliable pages by language for hosts, domains and top-level domains, as lists of the most frequent languages.
CREATE OR REPLACE TEMP TABLE level_counts AS
WITH counts AS (
    SELECT 'host' AS level, host AS name, language, pages FROM host_counts
    UNION ALL
    SELECT 'domain', domain, language, sum(pages) FROM host_counts WHERE domain IS NOT NULL GROUP BY domain, language
    UNION ALL
    SELECT 'tld', tld, language, sum(pages) FROM host_counts WHERE tld IS NOT NULL GROUP BY tld, language
), ranked AS (
    SELECT level, name, language, CAST(pages AS BIGINT) AS pages,
        row_number() OVER (PARTITION BY level, name ORDER BY pages DESC, language) AS rank
    FROM counts
)
SELECT level, name, list({'language': language, 'pages': pages} ORDER BY language) AS languages
FROM ranked WHERE rank <= $max_languages GROUP BY level, name;

-- name: unclear
-- Unclear pages. key is the URL without scheme, fragment and trailing slash, with the host in lower case.
CREATE OR REPLACE TEMP TABLE unclear AS
WITH bare AS (
    SELECT part, row, url_host_name AS host, url_host_registered_domain AS domain, url_host_tld AS tld,
        regexp_replace(split_part(url, '#', 1), '^[A-Za-z][A-Za-z0-9+.-]*://|/+$', '', 'g') AS bare_url
    FROM rows
    WHERE status = 'identified' AND fetch_status = 200 AND reading IS NOT NULL AND NOT coalesce(first_reliable, reliable)
)
SELECT part, row, host, domain, tld,
    lower(split_part(bare_url, '/', 1)) || substr(bare_url, length(split_part(bare_url, '/', 1)) + 1) AS key
FROM bare;

-- name: inlinks
-- Links to unclear pages from other pages, a few of each host, in a fixed order.
CREATE OR REPLACE TEMP TABLE inlinks AS
WITH bare AS (
    SELECT regexp_replace(split_part(url, '#', 1), '^[A-Za-z][A-Za-z0-9+.-]*://|/+$', '', 'g') AS bare_url,
        regexp_replace(split_part(source_url, '#', 1), '^[A-Za-z][A-Za-z0-9+.-]*://|/+$', '', 'g') AS source,
        source_url, source_label, source_confidence, anchor, hreflang
    FROM links
), keyed AS (
    SELECT lower(split_part(bare_url, '/', 1)) || substr(bare_url, length(split_part(bare_url, '/', 1)) + 1) AS key,
        lower(split_part(source, '/', 1)) AS host, source, source_url, source_label, source_confidence, anchor, hreflang
    FROM bare
), by_host AS (
    SELECT unclear.part, unclear.row, keyed.*,
        row_number() OVER (PARTITION BY part, row, keyed.host ORDER BY source_url, anchor, hreflang, source_label, source_confidence) AS host_rank
    FROM keyed JOIN unclear ON keyed.key = unclear.key WHERE keyed.source <> keyed.key
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY part, row ORDER BY host_rank, source_url, anchor, hreflang, source_label, source_confidence) AS number
    FROM by_host WHERE host_rank <= $max_inlinks_per_host
)
SELECT part, row,
    list({'url': source_url, 'language': source_label, 'confidence': source_confidence, 'anchor': anchor, 'hreflang': hreflang}
        ORDER BY number) AS inlinks
FROM ranked WHERE number <= $max_inlinks GROUP BY part, row;

-- name: evidence
-- All pages of the second pass with their evidence, collected before the first part is rewritten.
CREATE OR REPLACE TEMP TABLE evidence AS
SELECT unclear.part, unclear.row, url, country, content_charset, declared_language, reading,
    coalesce(first_label, label) AS label, coalesce(first_confidence, confidence) AS confidence,
    coalesce(first_reliable, reliable) AS reliable, reason,
    by_host.languages AS host_languages, by_domain.languages AS domain_languages, by_tld.languages AS tld_languages, inlinks
FROM unclear
JOIN rows ON rows.part = unclear.part AND rows.row = unclear.row
LEFT JOIN level_counts by_host ON by_host.level = 'host' AND by_host.name = unclear.host
LEFT JOIN level_counts by_domain ON by_domain.level = 'domain' AND by_domain.name = unclear.domain
LEFT JOIN level_counts by_tld ON by_tld.level = 'tld' AND by_tld.name = unclear.tld
LEFT JOIN inlinks ON inlinks.part = unclear.part AND inlinks.row = unclear.row
WHERE by_host.languages IS NOT NULL OR by_domain.languages IS NOT NULL OR by_tld.languages IS NOT NULL OR inlinks IS NOT NULL;
