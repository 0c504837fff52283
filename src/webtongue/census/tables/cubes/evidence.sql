-- The number of pages on which each source had evidence. Declarations count on all pages, although clear text does not use them.
SELECT
    CAST(coalesce(sum(weight), 0) AS BIGINT) AS pages,
    CAST(coalesce(sum(CASE WHEN bits_text IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_text,
    CAST(coalesce(sum(CASE WHEN bits_prior IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_prior,
    CAST(coalesce(sum(CASE WHEN bits_declared IS NOT NULL OR declared_language IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_declared,
    CAST(coalesce(sum(CASE WHEN bits_encoding IS NOT NULL OR charset_language IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_encoding,
    CAST(coalesce(sum(CASE WHEN bits_url IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_url,
    CAST(coalesce(sum(CASE WHEN bits_country IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_country,
    CAST(coalesce(sum(CASE WHEN bits_links IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_links,
    CAST(coalesce(sum(CASE WHEN bits_host IS NOT NULL THEN weight END), 0) AS BIGINT) AS by_host
FROM captures
WHERE is_page
