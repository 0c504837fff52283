-- title: Pages by language, corrected for the identifier's own errors
-- cai: table 5-4
-- from: answers, shares, labels
SELECT
    s.label, coalesce(l.tag, s.label) AS language, coalesce(l.name, s.label) AS name, b.tier, s.pages, s.share, s.low, s.high,
    s.effective, a.short, a.middling, a.long
FROM shares AS s
JOIN labels AS b ON b.label = s.label
JOIN (
    SELECT
        label, sum(CASE WHEN length = 'short' THEN pages ELSE 0 END) AS short,
        sum(CASE WHEN length = 'middling' THEN pages ELSE 0 END) AS middling,
        sum(CASE WHEN length = 'long' THEN pages ELSE 0 END) AS long
    FROM answers
    GROUP BY label
) AS a ON a.label = s.label
LEFT JOIN language AS l ON l.label = s.label
ORDER BY s.pages DESC, s.label
