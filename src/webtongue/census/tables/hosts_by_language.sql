-- title: Hosts by language
-- note: Hosts and registered domains with at least one page in the language.
-- from: host_labels, domain_labels
WITH hosted AS (
    SELECT label, count(*) AS hosts
    FROM host_labels
    WHERE label IS NOT NULL AND host <> HASH(CAST(NULL AS STRING))
    GROUP BY label
),
registered AS (SELECT label, count(*) AS domains FROM domain_labels WHERE label IS NOT NULL GROUP BY label)
SELECT h.label, coalesce(l.name, h.label) AS name, h.hosts, coalesce(d.domains, 0) AS domains
FROM hosted AS h
LEFT JOIN registered AS d ON d.label = h.label
LEFT JOIN language AS l ON l.label = h.label
ORDER BY h.hosts DESC, h.label
