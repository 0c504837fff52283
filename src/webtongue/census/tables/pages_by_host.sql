-- title: Pages by host
-- note: label is the commonest of the host, share its share of the host's pages, languages how many there are.
-- from: hosts, host_labels
WITH largest AS (SELECT host, pages, languages FROM hosts WHERE host <> '' ORDER BY pages DESC, host LIMIT :limit),
ranked AS (
    SELECT p.host, p.label, p.pages, row_number() OVER (PARTITION BY p.host ORDER BY p.pages DESC, p.label) AS place
    FROM host_labels AS p
    JOIN largest AS h ON h.host = p.host
)
SELECT h.host, h.pages, r.label, r.pages / CAST(h.pages AS DOUBLE) AS share, h.languages
FROM largest AS h
JOIN ranked AS r ON r.host = h.host AND r.place = 1
ORDER BY h.pages DESC, h.host
