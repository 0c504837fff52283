-- Captures by host and label, with the registered domain of the host; captures that are not pages have no label. Hosts and domains are
-- 64-bit hashes, which takes half the time of names: with a million hosts, one census in 30 million has a collision.
SELECT
    HASH(url_host_name) AS host, min(HASH(url_host_registered_domain)) AS domain, CASE WHEN is_page THEN coalesce(label, 'und') END AS label,
    CAST(sum(weight) AS BIGINT) AS captures
FROM captures
GROUP BY 1, 3
