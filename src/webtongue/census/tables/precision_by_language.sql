-- title: Precision of answers, judged by people
-- note: precision is the share of the judged pages whose answer is right, with exact 95% intervals; unclear pages are not counted.
SELECT
    a.label, coalesce(l.tag, a.label) AS language, coalesce(l.name, a.label) AS name, a.pages AS judged, a.share AS precision, a.low, a.high,
    a.unclear
FROM audited AS a
LEFT JOIN language AS l ON l.label = a.label
WHERE a.truth = a.label
ORDER BY a.pages DESC, a.label
