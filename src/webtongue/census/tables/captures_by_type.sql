-- title: Captures by type
-- note: mime_type is what the server said, detected what the bytes are.
-- from: kinds
SELECT coalesce(content_mime_type, '') AS mime_type, coalesce(content_mime_detected, '') AS detected, sum(captures) AS captures
FROM kinds
GROUP BY ALL
ORDER BY captures DESC, mime_type, detected
LIMIT :limit
