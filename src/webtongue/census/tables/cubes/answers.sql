-- Pages by what is said of them and what they say of themselves, and on how many each source of evidence spoke.
SELECT
    coalesce(label, 'und') AS label, coalesce(tier, 0) AS tier, coalesce(reliable, false) AS reliable, reason, problem, identified_by,
    charset_language, content_charset AS encoding, encoding_declared, language_declared, language_unrecognised,
    CASE WHEN content_languages IS NULL THEN 0 WHEN content_languages LIKE '%,%' THEN 2 ELSE 1 END AS languages,
    CASE WHEN letters < 60 THEN 'short' WHEN letters < 200 THEN 'middling' ELSE 'long' END AS length,
    count(*) AS pages,
    count(bits_text) AS by_text, count(bits_prior) AS by_prior, count(bits_declared) AS by_declared,
    count(bits_encoding) AS by_encoding, count(bits_url) AS by_url, count(bits_country) AS by_country,
    count(bits_links) AS by_links, count(bits_host) AS by_host
FROM captures
WHERE is_page
GROUP BY ALL
