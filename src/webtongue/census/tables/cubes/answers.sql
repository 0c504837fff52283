-- Pages by answer and by declarations.
SELECT
    coalesce(label, 'und') AS label, reason, problem, identified_by, charset_language, encoding, declared_encoding, declared_language,
    unrecognised_language, tier, pages, reliable, short, brief - short AS middling, pages - brief AS long, with_languages
FROM (
    SELECT
        label, reason, problem, identified_by, charset_language, content_charset AS encoding, declared_encoding, declared_language,
        unrecognised_language, max(tier) AS tier, count(*) AS pages, count(*) FILTER (WHERE reliable) AS reliable,
        count(*) FILTER (WHERE letters < 60) AS short, count(*) FILTER (WHERE letters < 200) AS brief,
        count(content_languages) AS with_languages
    FROM captures
    WHERE is_page
    GROUP BY ALL
)
