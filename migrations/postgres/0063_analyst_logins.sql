-- The logins of analysts. Postgres is the owner of the truth; a job makes each cell's ClickHouse equal to it.

CREATE TABLE analyst_logins (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL CHECK (name <> '' AND length(name) <= 100),
  user_name text NOT NULL UNIQUE CHECK (user_name ~ '^analyst_[a-z0-9]{12}$'),
  password_hash text NOT NULL CHECK (password_hash ~ '^[0-9a-f]{64}$'),
  database text,
  applied text,
  revoked_at timestamptz,
  removed_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (removed_at IS NULL OR revoked_at IS NOT NULL)
);
CREATE INDEX ON analyst_logins (workspace_id, created_at, id);
COMMENT ON COLUMN analyst_logins.user_name IS 'The user in ClickHouse.';
COMMENT ON COLUMN analyst_logins.password_hash IS 'SHA-256 of a password of 24 random bytes, which is shown once and kept nowhere.';
COMMENT ON COLUMN analyst_logins.database IS 'Where ClickHouse has the tables for it; null until it is there.';
COMMENT ON COLUMN analyst_logins.applied IS 'A hash of the statements that made it; null until ClickHouse has it.';
COMMENT ON COLUMN analyst_logins.removed_at IS 'When ClickHouse was seen to have removed it after its revocation.';

ALTER TABLE analyst_logins ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON analyst_logins TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON analyst_logins TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON analyst_logins TO service_app;
-- Whose login it is, and its password, never change.
GRANT UPDATE (revoked_at) ON analyst_logins TO service_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON analyst_logins TO service_system;
