-- title: Coverage of each approach of a published method
-- cai: figure 5-1
-- note: Only for --method composite. pages is the number of pages for which the approach by itself names a language, decided the number that it answers by the priority list. The serial manner does not run an approach after another has answered: compare approaches with --manner parallel.
-- from: approaches
WITH named AS (
    SELECT 1 AS place, 'encoding' AS approach, by_encoding AS pages, decided_by_encoding AS decided FROM approaches
    UNION ALL SELECT 2, 'language', by_language, decided_by_language FROM approaches
    UNION ALL SELECT 3, 'text', by_text, decided_by_text FROM approaches
    UNION ALL SELECT 4, 'all', by_any, by_any FROM approaches
)
SELECT
    n.approach, n.pages, n.pages / CAST(w.pages AS DOUBLE) AS share, n.decided, n.decided / CAST(w.pages AS DOUBLE) AS decided_share
FROM named AS n
CROSS JOIN approaches AS w
WHERE w.by_any > 0
ORDER BY n.place
