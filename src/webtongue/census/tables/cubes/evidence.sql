-- The number of pages on which each source had evidence. Declarations count on all pages, although clear text does not use them.
SELECT
    count(*) AS pages, count(bits_text) AS by_text, count(bits_prior) AS by_prior,
    count(CASE WHEN bits_declared IS NOT NULL OR declared_language IS NOT NULL THEN 1 END) AS by_declared,
    count(CASE WHEN bits_encoding IS NOT NULL OR charset_language IS NOT NULL THEN 1 END) AS by_encoding,
    count(bits_url) AS by_url, count(bits_country) AS by_country, count(bits_links) AS by_links, count(bits_host) AS by_host
FROM captures
WHERE is_page
