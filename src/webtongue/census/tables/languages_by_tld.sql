-- title: Languages by top level domain
-- note: log_likelihood is Dunning's (1993) G2, negative if the domain has fewer pages in the language than expected.
-- from: tlds
WITH crossed AS (
    SELECT
        tld, label, CAST(pages AS DOUBLE) AS pages,
        CAST(sum(pages) OVER (PARTITION BY tld) AS DOUBLE) AS of_tld,
        CAST(sum(pages) OVER (PARTITION BY label) AS DOUBLE) AS of_label,
        CAST(sum(pages) OVER () AS DOUBLE) AS total
    FROM tlds
),
cells AS (
    SELECT
        *, pages AS a, of_tld - pages AS b, of_label - pages AS c, total - of_tld - of_label + pages AS d,
        of_tld * of_label / total AS expected
    FROM crossed
),
scored AS (
    SELECT
        tld, label, pages, of_tld, pages / of_tld AS share,
        (CASE WHEN pages >= expected THEN 2.0 ELSE -2.0 END) * (
            a * ln(a / expected)
            + CASE WHEN b > 0 THEN b * ln(b * total / (of_tld * (total - of_label))) ELSE 0.0 END
            + CASE WHEN c > 0 THEN c * ln(c * total / ((total - of_tld) * of_label)) ELSE 0.0 END
            + CASE WHEN d > 0 THEN d * ln(d * total / ((total - of_tld) * (total - of_label))) ELSE 0.0 END
        ) AS log_likelihood
    FROM cells
)
SELECT
    s.tld, s.label, coalesce(l.name, s.label) AS name, CAST(s.pages AS BIGINT) AS pages, s.share, s.log_likelihood
FROM scored AS s
LEFT JOIN language AS l ON l.label = s.label
WHERE :label = '' OR s.label = :label
ORDER BY s.of_tld DESC, s.tld, s.pages DESC, s.label
LIMIT :limit
