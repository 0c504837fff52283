-- All captures by where they are; the label only of those that count as pages, so that one pass serves servers, hosts and languages.
SELECT
    coalesce(host, '') AS host, coalesce(domain, '') AS domain, coalesce(ip, '') AS ip, coalesce(country, 'ZZ') AS country, label,
    captures
FROM (
    SELECT
        url_host_name AS host, url_host_registered_domain AS domain, ip, country,
        CASE WHEN is_page THEN coalesce(label, 'und') END AS label, count(*) AS captures
    FROM captures
    GROUP BY ALL
)
