-- Captures by registered domain and label; captures that are not pages have no label.
-- from: host_labels
SELECT domain, label, sum(captures) AS captures
FROM host_labels
WHERE domain <> HASH(CAST(NULL AS STRING))
GROUP BY domain, label
