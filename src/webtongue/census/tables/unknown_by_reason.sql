-- title: Pages without a language, by reason
-- cai: section 5.1.3
-- note: cai is one of the five reasons of Cai (2009), empty for code, data and files without text.
-- from: answers
WITH reasons AS (
    SELECT
        CASE WHEN problem = 'characters_lost' THEN problem ELSE coalesce(reason, '') END AS reason,
        CASE
            WHEN problem = 'characters_lost' OR reason IN ('misread', 'unreadable', 'not_bytes') THEN 'damaged'
            WHEN reason IN ('unknown_script', 'unknown_language', 'not_asked') THEN 'no model'
            WHEN reason = 'too_rare' AND declared_language IS NULL THEN 'no declaration'
            WHEN reason IN ('empty', 'missing', 'no_letters', 'too_short', 'too_rare') THEN 'too little text'
            WHEN reason IN ('several_languages', 'two_languages') THEN 'no strong language'
            -- The reasons of methods/composite.py, which has no codes.
            WHEN reason = 'question marks in place of characters: improperly received' THEN 'damaged'
            WHEN reason IN ('no language model is near, and no declaration', 'nothing in it that the model knows') THEN 'no model'
            WHEN reason = 'no declaration that names a language' THEN 'no declaration'
            WHEN reason = 'fewer bytes of text than the floor, and no declaration' THEN 'too little text'
            WHEN reason = 'a short text without a strong language' THEN 'no strong language'
            ELSE ''
        END AS cai,
        pages
    FROM answers
    WHERE label IN ('und', 'zxx', 'mul')
),
counted AS (SELECT reason, cai, sum(pages) AS pages FROM reasons GROUP BY reason, cai)
SELECT reason, cai, pages, pages / CAST(sum(pages) OVER () AS DOUBLE) AS share
FROM counted
ORDER BY pages DESC, reason, cai
