-- The journal of a crawl. States and levels are numbered in frontier.py; schema.py has the version of these tables.

-- Every URL that was discovered. label to archive_length are empty until the page is fetched.
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, domain TEXT NOT NULL,
    state INTEGER NOT NULL, score REAL NOT NULL, language TEXT NOT NULL, depth INTEGER NOT NULL, request TEXT NOT NULL,
    fetch_order INTEGER, status INTEGER, label TEXT, confidence REAL, reason TEXT, packed BLOB, encoding TEXT,
    archive_offset INTEGER, archive_length INTEGER
);
CREATE INDEX queue ON pages (score DESC, id) WHERE state = 0;
CREATE INDEX queue_by_host ON pages (host, score DESC) WHERE state IN (0, 4);
CREATE INDEX queue_by_domain ON pages (domain, score DESC) WHERE state = 0;
CREATE INDEX in_flight ON pages (state) WHERE state = 1;
CREATE INDEX fetched ON pages (fetch_order) WHERE fetch_order IS NOT NULL;
-- Links to pages, one per linking domain.
CREATE TABLE inlinks (
    page INTEGER NOT NULL, domain TEXT NOT NULL, url TEXT NOT NULL, language TEXT NOT NULL, confidence REAL NOT NULL,
    anchor TEXT NOT NULL, hreflang TEXT NOT NULL, PRIMARY KEY (page, domain)
) WITHOUT ROWID;
-- Fetched pages by language of each host, registered domain and top-level domain.
CREATE TABLE language_counts (
    level INTEGER NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, pages REAL NOT NULL, PRIMARY KEY (level, name, language)
) WITHOUT ROWID;
-- URLs discovered and requested of each host and registered domain.
CREATE TABLE budgets (
    level INTEGER NOT NULL, name TEXT NOT NULL, discovered INTEGER NOT NULL, requested INTEGER NOT NULL,
    PRIMARY KEY (level, name)
) WITHOUT ROWID;
-- The settings as JSON, and the offset at which the archive ends.
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
