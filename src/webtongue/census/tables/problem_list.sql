-- title: Captures with a problem
SELECT
    coalesce(warc_filename, '') AS file, warc_record_offset AS offset, coalesce(url, '') AS url, problem,
    coalesce(problem_detail, '') AS detail
FROM captures
WHERE problem IS NOT NULL AND problem <> ''
ORDER BY 1, 2, 3
LIMIT :limit
