-- title: Captures by status
-- cai: section 3.2.4, by HTTP response code
-- from: kinds
SELECT
    coalesce(fetch_status, 0) AS fetch_status, coalesce(record_type, '') AS record_type, coalesce(status, '') AS status,
    sum(captures) AS captures
FROM kinds
GROUP BY ALL
ORDER BY captures DESC, fetch_status, record_type, status
