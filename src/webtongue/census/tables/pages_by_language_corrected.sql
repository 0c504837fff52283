-- title: Pages by language, corrected for the identifier's own errors
-- cai: table 5-4
-- note: Labels with most reliable answers come first; reliable is the number of pages with a reliable answer, little_text that of pages with fewer than 60 letters. Errors were measured on text and pages of known language. low and high bound 95% of the draws of counts by host and of error rates.
-- estimated: Labels with most reliable answers come first; reliable is the number of pages with a reliable answer, little_text that of pages with fewer than 60 letters. Errors were measured on text and pages of known language. low and high bound 95% of the draws of the sample (docs/estimate.md) and of error rates.
-- from: shares, labels, measured
SELECT
    s.label, coalesce(l.tag, s.label) AS language, coalesce(l.name, s.label) AS name, CASE WHEN b.label IS NULL THEN coalesce(l.tier, 0) ELSE coalesce(b.tier, 0) END AS tier, s.pages,
    coalesce(b.reliable, 0) AS reliable, coalesce(b.short, 0) AS little_text, s.share, s.low, s.high, s.effective,
    coalesce(b.short, 0) AS short, coalesce(b.middling, s.pages) AS middling, coalesce(b.long, 0) AS long, m.model
FROM shares AS s
LEFT JOIN labels AS b ON b.label = s.label
CROSS JOIN (
    SELECT max(model) AS model FROM (SELECT model FROM captures WHERE is_page AND model IS NOT NULL LIMIT 1000)
) AS m
LEFT JOIN language AS l ON l.label = s.label
ORDER BY reliable DESC, s.pages DESC, s.label
