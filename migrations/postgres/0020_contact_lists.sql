-- Lists of contacts for the dashboard: newest first, by the beginning of a user id, suppressed ones.

CREATE INDEX ON contacts (workspace_id, created_at, id);
CREATE INDEX ON contacts (workspace_id, user_id text_pattern_ops);
CREATE INDEX ON contacts (workspace_id, created_at, id) WHERE suppressed_at IS NOT NULL;
