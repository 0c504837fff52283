-- title: Captures by type
-- note: mime_type is the declared type, detected that of the bytes.
-- from: kinds
SELECT coalesce(content_mime_type, '') AS mime_type, coalesce(content_mime_detected, '') AS detected, sum(captures) AS captures
FROM kinds
GROUP BY ALL
ORDER BY captures DESC, mime_type, detected
LIMIT :limit
