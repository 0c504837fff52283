-- On how many pages each source of evidence spoke. A declaration speaks where it is there, though clear text was not asked to hear it.
SELECT
    count(*) AS pages, count(bits_text) AS by_text, count(bits_prior) AS by_prior,
    count(CASE WHEN bits_declared IS NOT NULL OR language_declared IS NOT NULL THEN 1 END) AS by_declared,
    count(CASE WHEN bits_encoding IS NOT NULL OR charset_language IS NOT NULL THEN 1 END) AS by_encoding,
    count(bits_url) AS by_url, count(bits_country) AS by_country, count(bits_links) AS by_links, count(bits_host) AS by_host
FROM captures
WHERE is_page
