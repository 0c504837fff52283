-- title: Pages by language, corrected for the identifier's own errors
-- cai: table 5-4
-- note: Labels with most reliable answers come first; reliable is the number of pages with one, little_text that of pages with fewer than 60 letters. Errors were measured on text and pages of known language. low and high bound 95% of the draws of counts by host and of error rates.
-- from: shares, labels, measured
SELECT
    s.label, coalesce(l.tag, s.label) AS language, coalesce(l.name, s.label) AS name, b.tier, s.pages, b.reliable,
    b.short AS little_text, s.share, s.low, s.high, s.effective, b.short, b.middling, b.long, m.model
FROM shares AS s
JOIN labels AS b ON b.label = s.label
CROSS JOIN (
    SELECT max(model) AS model FROM (SELECT model FROM captures WHERE is_page AND model IS NOT NULL LIMIT 1000)
) AS m
LEFT JOIN language AS l ON l.label = s.label
ORDER BY b.reliable DESC, s.pages DESC, s.label
