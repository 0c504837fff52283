-- Servers by country, each counted once.
-- from: places
SELECT country, count(*) AS servers
FROM (SELECT ip, min(country) AS country FROM places WHERE ip <> '' GROUP BY ip)
GROUP BY country
