-- title: Pages whose declared charset names their language
-- cai: table 5-2, figure 5-2
-- note: Only declared charsets that are used for one language.
-- from: answers
SELECT
    a.label, coalesce(max(l.name), a.label) AS name,
    sum(CASE WHEN a.charset_language IN (a.label, l.iso639_3, l.tag) THEN a.pages ELSE 0 END) AS by_charset,
    sum(a.pages) AS pages,
    sum(CASE WHEN a.charset_language IN (a.label, l.iso639_3, l.tag) THEN a.pages ELSE 0 END)
    / CAST(sum(a.pages) AS DOUBLE) AS share
FROM answers AS a
LEFT JOIN language AS l ON l.label = a.label
WHERE a.label NOT IN ('und', 'zxx', 'mul')
GROUP BY a.label
ORDER BY pages DESC, label
