-- All captures by status, type and problem.
SELECT
    fetch_status, record_type, status, problem, content_mime_type, content_mime_detected, is_page,
    CAST(sum(weight) AS BIGINT) AS captures, min(fetch_time) AS first_fetch, max(fetch_time) AS last_fetch
FROM captures
GROUP BY ALL
