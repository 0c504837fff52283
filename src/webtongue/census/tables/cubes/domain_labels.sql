-- Registered domains with captures of each label; of none, where they are no pages.
-- from: host_labels
SELECT domain, label, sum(captures) AS captures
FROM host_labels
WHERE domain <> HASH(CAST(NULL AS STRING))
GROUP BY domain, label
