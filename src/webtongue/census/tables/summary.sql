-- title: Summary
-- note: reliable is the share of pages with a reliable answer. little_text_pages have fewer than 60 letters. A language in two scripts has two labels. hosts and domains are those of pages, servers those of all captures. Times are UTC.
-- from: totals, measured
SELECT what, value
FROM (
    SELECT 1 AS place, 'captures' AS what, CAST(captures AS STRING) AS value FROM totals
    UNION ALL SELECT 2, 'identified', CAST(identified AS STRING) FROM totals
    UNION ALL SELECT 3, 'pages', CAST(pages AS STRING) FROM totals
    UNION ALL SELECT 4, 'reliable_pages', CAST(reliable_pages AS STRING) FROM totals
    UNION ALL SELECT 5, 'unreliable_pages', CAST(unreliable_pages AS STRING) FROM totals
    UNION ALL SELECT 6, 'little_text_pages', CAST(little_text_pages AS STRING) FROM totals
    UNION ALL SELECT 7, 'languages', CAST(languages AS STRING) FROM totals
    UNION ALL SELECT 8, 'labels', CAST(labels AS STRING) FROM totals
    UNION ALL SELECT 9, 'hosts', CAST(hosts AS STRING) FROM totals
    UNION ALL SELECT 10, 'domains', CAST(domains AS STRING) FROM totals
    UNION ALL SELECT 11, 'servers', CAST(servers AS STRING) FROM totals
    UNION ALL SELECT 12, 'countries', CAST(countries AS STRING) FROM totals
    UNION ALL SELECT 13, 'reliable', CAST(reliable_pages / CAST(NULLIF(pages, 0) AS DOUBLE) AS STRING) FROM totals
    UNION ALL SELECT 14, 'failed', CAST(failed AS STRING) FROM totals
    UNION ALL SELECT 15, 'first_fetch', replace(CAST(first_fetch AS STRING), '+00', '') FROM totals
    UNION ALL SELECT 16, 'last_fetch', replace(CAST(last_fetch AS STRING), '+00', '') FROM totals
)
ORDER BY place
