-- title: Pages by host
-- note: label is the most frequent label of the host, share its share of the host's pages, languages the number of languages.
-- from: hosts, host_labels
WITH largest AS (SELECT host, pages, languages FROM hosts WHERE pages > 0 ORDER BY pages DESC, host LIMIT :limit),
named AS (
    SELECT HASH(url_host_name) AS host, max(url_host_name) AS name
    FROM captures
    WHERE HASH(url_host_name) IN (SELECT host FROM largest)
    GROUP BY HASH(url_host_name)
),
counted AS (
    SELECT p.host, p.label, p.captures AS pages
    FROM host_labels AS p
    JOIN largest AS h ON h.host = p.host
    WHERE p.label IS NOT NULL
),
ranked AS (SELECT *, row_number() OVER (PARTITION BY host ORDER BY pages DESC, label) AS place FROM counted)
SELECT n.name AS host, h.pages, r.label, r.pages / CAST(h.pages AS DOUBLE) AS share, h.languages
FROM largest AS h
JOIN named AS n ON n.host = h.host
JOIN ranked AS r ON r.host = h.host AND r.place = 1
ORDER BY h.pages DESC, n.name
