-- Languages passed on along links, for DuckDB and Spark: what webtongue.links.propagate does, as queries. Each begins at its "-- name".
-- Tables that it reads: pages(page, letters, host, domain), chances(page, label, probability), links(source, target, weight).
-- The table that it writes: propagated(page, label, probability). webtongue.links.sql runs it, and
-- webtongue.spark.propagation.

-- name: own
-- Probabilities put right, and the votes of each page's own text.
CREATE OR REPLACE TEMP TABLE link_own AS
WITH good AS (
    SELECT page, label, CASE WHEN isfinite(probability) THEN greatest(0, least(1, probability)) ELSE 0 END AS p FROM chances
), summed AS (
    SELECT page, label, sum(p) / greatest(1, sum(sum(p)) OVER (PARTITION BY page)) AS p FROM good GROUP BY page, label
)
SELECT page, label, p FROM summed WHERE p > 0;

-- name: votes
CREATE OR REPLACE TEMP TABLE link_votes AS
SELECT page, host, domain,
    coalesce($text_votes * best * pow(many / (many + $half_text), 2), 0) AS votes
FROM (
    SELECT page, host, domain, CASE WHEN isfinite(letters) THEN greatest(0, letters) ELSE 0 END AS many FROM pages
) LEFT JOIN (SELECT page, max(p) AS best FROM link_own GROUP BY page) USING (page);

-- name: edges
-- Each pair of pages once, with the votes of its link: a host's sum to one at most, then a domain's, then those of all. Sums are
-- joined, and not taken over windows: an engine can cut a join into pieces where half the web links to one page.
CREATE OR REPLACE TEMP TABLE link_edges AS
WITH pairs AS (
    SELECT source, target, max(CASE WHEN isfinite(weight) THEN greatest(0, least(1, weight)) ELSE 0 END) AS w
    FROM links WHERE source <> target GROUP BY source, target
), placed AS (
    SELECT pairs.source, pairs.target, w, s.host, s.domain, s.domain = t.domain AS inside
    FROM pairs JOIN link_votes s ON s.page = pairs.source JOIN link_votes t ON t.page = pairs.target WHERE w > 0
), by_host AS (
    SELECT source, target, inside, domain, w / greatest(1, sum_w) AS w
    FROM placed JOIN (SELECT target, host, sum(w) AS sum_w FROM placed GROUP BY target, host) USING (target, host)
), by_domain AS (
    SELECT source, target, inside, w / greatest(1, sum_w) AS w
    FROM by_host JOIN (SELECT target, domain, sum(w) AS sum_w FROM by_host GROUP BY target, domain) USING (target, domain)
)
SELECT source, target, inside, w * $most_votes / greatest($most_votes, sum_w) AS w
FROM by_domain JOIN (SELECT target, sum(w) AS sum_w FROM by_domain GROUP BY target) USING (target);

-- name: passing
-- What a link passes on: its share of the target's votes, as far as links keep their language, by how much its page knows.
CREATE OR REPLACE TEMP TABLE link_passing AS
WITH total AS (
    SELECT page, votes, votes + coalesce(heard, 0) AS total
    FROM link_votes LEFT JOIN (SELECT target AS page, sum(w) AS heard FROM link_edges GROUP BY target) USING (page)
)
SELECT source, target,
    w / t.total * CASE WHEN inside THEN $own_keep ELSE $foreign_keep END * s.total / (s.total + $doubt) AS passed,
    t.votes / t.total AS own_share
FROM link_edges JOIN total s ON s.page = source JOIN total t ON t.page = target;

-- name: start
CREATE OR REPLACE TEMP TABLE link_wave AS
SELECT page, label, p * coalesce(own_share, 1) AS p
FROM link_own LEFT JOIN (SELECT DISTINCT target AS page, own_share FROM link_passing) USING (page);

-- name: keep
CREATE OR REPLACE TABLE propagated AS SELECT page, label, p AS probability FROM link_wave WHERE p > 0;

-- name: step
-- One round: the changes of the round before, passed on along links.
CREATE OR REPLACE TEMP TABLE link_next AS
SELECT target AS page, label, sum(passed * p) AS p
FROM link_wave JOIN link_passing ON link_passing.source = link_wave.page GROUP BY target, label;

-- name: residual
SELECT coalesce(max(p), 0) FROM link_next;

-- name: cut
CREATE OR REPLACE TEMP TABLE link_wave AS SELECT page, label, p FROM link_next WHERE p >= $cut;

-- name: add
INSERT INTO propagated SELECT page, label, p FROM link_wave;

-- name: end
CREATE OR REPLACE TABLE propagated AS
SELECT page, label, least(1, sum(probability)) AS probability FROM propagated GROUP BY page, label ORDER BY page, label;

-- name: clean
DROP TABLE IF EXISTS link_own; DROP TABLE IF EXISTS link_votes; DROP TABLE IF EXISTS link_edges; DROP TABLE IF EXISTS link_passing;
DROP TABLE IF EXISTS link_wave; DROP TABLE IF EXISTS link_next;
