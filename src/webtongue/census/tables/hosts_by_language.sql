-- title: Hosts by language
-- note: Hosts and registered domains with at least one page in the language.
-- from: host_labels, places
WITH hosted AS (SELECT label, count(*) AS hosts FROM host_labels WHERE host <> '' GROUP BY label),
registered AS (
    SELECT label, count(DISTINCT domain) AS domains FROM places WHERE label IS NOT NULL AND domain <> '' GROUP BY label
)
SELECT h.label, coalesce(l.name, h.label) AS name, h.hosts, coalesce(d.domains, 0) AS domains
FROM hosted AS h
LEFT JOIN registered AS d ON d.label = h.label
LEFT JOIN language AS l ON l.label = h.label
ORDER BY h.hosts DESC, h.label
