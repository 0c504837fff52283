-- What a series of censuses counts, by host and label, in the form of tables/cubes/host_labels.sql, so that cubes/shares.sql gives the
-- share and the interval of each label.

-- name: languages
SELECT HASH(url_host_name) AS host, coalesce(label, 'und') AS label, CAST(count(*) AS BIGINT) AS captures
FROM captures
WHERE is_page
GROUP BY ALL

-- name: countries
SELECT HASH(url_host_name) AS host, coalesce(country, 'ZZ') AS label, CAST(count(*) AS BIGINT) AS captures
FROM captures
WHERE is_page
GROUP BY ALL

-- name: encodings
SELECT HASH(url_host_name) AS host, coalesce(content_charset, '') AS label, CAST(count(*) AS BIGINT) AS captures
FROM captures
WHERE is_page
GROUP BY ALL

-- name: servers
-- Here a server is the sampled unit and counts once, whatever the status of its responses.
SELECT HASH(ip) AS host, min(coalesce(country, 'ZZ')) AS label, CAST(1 AS BIGINT) AS captures
FROM captures
WHERE ip IS NOT NULL
GROUP BY ip
