-- title: Coverage of each source of evidence
-- cai: figure 5-1
-- note: pages is the number of pages on which the source had evidence; no evidence of url, country, links and host is collected for long clear text. decided is the number of pages for whose answer the source had most evidence. Shares are of all pages.
-- from: answers, evidence
WITH spoke AS (
    SELECT 'text' AS source, by_text AS pages FROM evidence
    UNION ALL SELECT 'prior', by_prior FROM evidence
    UNION ALL SELECT 'declared', by_declared FROM evidence
    UNION ALL SELECT 'encoding', by_encoding FROM evidence
    UNION ALL SELECT 'url', by_url FROM evidence
    UNION ALL SELECT 'country', by_country FROM evidence
    UNION ALL SELECT 'links', by_links FROM evidence
    UNION ALL SELECT 'host', by_host FROM evidence
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
    greatest(coalesce(s.pages, 0), coalesce(d.decided, 0)) / CAST(w.pages AS DOUBLE) AS share,
    coalesce(d.decided, 0) AS decided,
    coalesce(d.decided, 0) / CAST(w.pages AS DOUBLE) AS decided_share
FROM spoke AS s
FULL OUTER JOIN decided AS d ON d.source = s.source
CROSS JOIN evidence AS w
WHERE w.pages > 0
ORDER BY 2 DESC, 1
