-- title: Servers by country
-- cai: table 5-3, figure 5-3
-- note: Distinct IP addresses of captures of all statuses. ZZ is an unknown country.
-- from: servers
SELECT
    s.country, coalesce(c.name, s.country) AS name, s.servers, s.servers / CAST(sum(s.servers) OVER () AS DOUBLE) AS share
FROM servers AS s
LEFT JOIN country AS c ON c.country = s.country
ORDER BY s.servers DESC, s.country
