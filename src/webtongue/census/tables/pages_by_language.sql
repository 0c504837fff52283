-- title: Pages by language
-- cai: table 5-4, figure 5-4
-- note: Labels with most reliable answers come first; reliable is the number of pages with one, little_text that of pages with fewer than 60 letters. 95% intervals are computed over hosts, because pages of a host are not independent.
-- from: shares, labels, measured
SELECT
    s.label, coalesce(l.tag, s.label) AS language, coalesce(l.name, s.label) AS name, b.tier, s.pages, b.reliable,
    b.short AS little_text, s.share, s.low, s.high
FROM shares AS s
JOIN labels AS b ON b.label = s.label
LEFT JOIN language AS l ON l.label = s.label
ORDER BY b.reliable DESC, s.pages DESC, s.label
