-- Whether the identifier says if an answer is reliable, and counts letters: published methods do neither.
SELECT count(*) = 0 OR count(reliable) > 0 AS reliable, count(*) = 0 OR count(letters) > 0 AS letters FROM captures WHERE is_page
