-- The row of the view counts, read once for all tables.
SELECT * FROM counts
