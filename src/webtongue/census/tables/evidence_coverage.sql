-- title: Coverage of each source of evidence
-- cai: figure 5-1
-- note: pages: on which the source had something to say; of url, country, links and host, on which they were asked, as long clear text asks nobody. decided: for whose answer it did most. Shares are of all pages.
-- from: answers
WITH whole AS (SELECT CAST(sum(pages) AS DOUBLE) AS pages FROM answers),
spoke AS (
    SELECT 'text' AS source, sum(by_text) AS pages FROM answers
    UNION ALL SELECT 'prior', sum(by_prior) FROM answers
    UNION ALL SELECT 'declared', sum(CASE WHEN language_declared IS NOT NULL THEN pages ELSE by_declared END) FROM answers
    UNION ALL SELECT 'encoding', sum(CASE WHEN charset_language IS NOT NULL THEN pages ELSE by_encoding END) FROM answers
    UNION ALL SELECT 'url', sum(by_url) FROM answers
    UNION ALL SELECT 'country', sum(by_country) FROM answers
    UNION ALL SELECT 'links', sum(by_links) FROM answers
    UNION ALL SELECT 'host', sum(by_host) FROM answers
),
decided AS (
    SELECT identified_by AS source, sum(pages) AS decided
    FROM answers
    WHERE identified_by IS NOT NULL AND identified_by <> ''
    GROUP BY identified_by
)
SELECT
    coalesce(s.source, d.source) AS source,
    greatest(coalesce(s.pages, 0), coalesce(d.decided, 0)) AS pages,
    greatest(coalesce(s.pages, 0), coalesce(d.decided, 0)) / w.pages AS share,
    coalesce(d.decided, 0) AS decided,
    coalesce(d.decided, 0) / w.pages AS decided_share
FROM spoke AS s
FULL OUTER JOIN decided AS d ON d.source = s.source
CROSS JOIN whole AS w
WHERE w.pages IS NOT NULL
ORDER BY 2 DESC, 1
