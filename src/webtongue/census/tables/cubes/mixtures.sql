-- Pages with several languages, by the four largest of them.
SELECT
    (ELEMENT(languages, 1)).label AS one, (ELEMENT(languages, 2)).label AS two,
    (ELEMENT(languages, 3)).label AS three, (ELEMENT(languages, 4)).label AS four,
    ELEMENTS(languages) AS languages, CAST(sum(weight) AS BIGINT) AS pages
FROM captures
WHERE is_page AND content_languages LIKE '%,%'
GROUP BY ALL
