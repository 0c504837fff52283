-- The journal of a crawl: what was found, who links to it, and what is known of hosts. States and levels are numbered in frontier.py.
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, url TEXT NOT NULL, host TEXT NOT NULL, domain TEXT NOT NULL,
    state INTEGER NOT NULL, score REAL NOT NULL, language TEXT NOT NULL, depth INTEGER NOT NULL, request TEXT NOT NULL,
    number INTEGER, status INTEGER, label TEXT, confidence REAL, reason TEXT, kept BLOB, encoding TEXT, start INTEGER, size INTEGER
);
CREATE INDEX queue ON pages (score DESC, id) WHERE state = 0;
CREATE INDEX waiting ON pages (host, score DESC) WHERE state IN (0, 4);
CREATE INDEX siblings ON pages (domain, score DESC) WHERE state = 0;
CREATE INDEX under_way ON pages (state) WHERE state = 1;
CREATE INDEX captures ON pages (number) WHERE number IS NOT NULL;
CREATE TABLE inlinks (
    page INTEGER NOT NULL, domain TEXT NOT NULL, url TEXT NOT NULL, language TEXT NOT NULL, confidence REAL NOT NULL,
    anchor TEXT NOT NULL, hreflang TEXT NOT NULL, PRIMARY KEY (page, domain)
) WITHOUT ROWID;
CREATE TABLE counts (
    level INTEGER NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, pages REAL NOT NULL, PRIMARY KEY (level, name, language)
) WITHOUT ROWID;
CREATE TABLE budgets (
    level INTEGER NOT NULL, name TEXT NOT NULL, found INTEGER NOT NULL, taken INTEGER NOT NULL, PRIMARY KEY (level, name)
) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
