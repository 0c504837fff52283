-- Servers by country, each counted once.
SELECT coalesce(country, 'ZZ') AS country, count(*) AS servers
FROM (
    SELECT ip, min(country) AS country
    FROM (SELECT HASH(ip) AS ip, country FROM captures WHERE ip IS NOT NULL GROUP BY ALL)
    GROUP BY ip
)
GROUP BY ALL
