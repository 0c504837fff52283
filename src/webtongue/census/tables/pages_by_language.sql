-- title: Pages by language
-- cai: table 5-4, figure 5-4
-- note: Labels with most reliable answers come first; reliable is the number of pages with a reliable answer, little_text that of pages with fewer than 60 letters. 95% intervals are computed over hosts, because pages of a host are not independent.
-- estimated: Labels with most reliable answers come first; reliable is the number of pages with a reliable answer, little_text that of pages with fewer than 60 letters. 95% intervals are those of the sample (docs/estimate.md).
-- from: shares, labels, measured
SELECT
    s.label, coalesce(l.tag, s.label) AS language, coalesce(l.name, s.label) AS name, CASE WHEN b.label IS NULL THEN coalesce(l.tier, 0) ELSE coalesce(b.tier, 0) END AS tier, s.pages,
    coalesce(b.reliable, 0) AS reliable, coalesce(b.short, 0) AS little_text, s.share, s.low, s.high
FROM shares AS s
LEFT JOIN labels AS b ON b.label = s.label
LEFT JOIN language AS l ON l.label = s.label
ORDER BY reliable DESC, s.pages DESC, s.label
