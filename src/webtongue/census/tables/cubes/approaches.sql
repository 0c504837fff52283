-- The number of pages that each approach of the method of Cai (2009) names a language for, and of those that it answers.
SELECT
    count(*) AS pages, count(by_encoding) AS by_encoding, count(by_language) AS by_language, count(by_text) AS by_text,
    count(coalesce(by_encoding, by_language, by_text)) AS by_any,
    count(CASE WHEN identified_by = 'encoding' THEN by_encoding END) AS decided_by_encoding,
    count(CASE WHEN identified_by = 'language' THEN by_language END) AS decided_by_language,
    count(CASE WHEN identified_by = 'text' THEN by_text END) AS decided_by_text
FROM captures
WHERE is_page
