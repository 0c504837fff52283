-- Pages by answer and by declarations.
SELECT
    coalesce(label, 'und') AS label, reason, problem, identified_by, charset_language, encoding, declared_encoding, declared_language,
    unrecognised_language, tier, pages, reliable, short, brief - short AS middling, pages - brief AS long, with_languages
FROM (
    SELECT
        label, reason, problem, identified_by, charset_language, content_charset AS encoding, declared_encoding, declared_language,
        unrecognised_language, max(tier) AS tier, CAST(sum(weight) AS BIGINT) AS pages,
        CAST(coalesce(sum(CASE WHEN reliable THEN weight END), 0) AS BIGINT) AS reliable,
        CAST(coalesce(sum(CASE WHEN letters < 60 THEN weight END), 0) AS BIGINT) AS short,
        CAST(coalesce(sum(CASE WHEN letters < 200 THEN weight END), 0) AS BIGINT) AS brief,
        CAST(coalesce(sum(CASE WHEN content_languages IS NOT NULL THEN weight END), 0) AS BIGINT) AS with_languages
    FROM captures
    WHERE is_page
    GROUP BY ALL
)
