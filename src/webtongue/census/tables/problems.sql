-- title: Problems
-- from: kinds
SELECT problem, coalesce(record_type, '') AS record_type, sum(captures) AS captures
FROM kinds
WHERE problem IS NOT NULL AND problem <> ''
GROUP BY ALL
ORDER BY captures DESC, problem, record_type
