-- Who may send what to where: cells, organisations, workspaces, properties and SDK keys, which
-- ingest keeps in memory; and the quota windows that its nodes share.

-- Whoever makes the roles may also step down to them (SET ROLE), without being a superuser.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'service_app') THEN
    CREATE ROLE service_app NOLOGIN NOBYPASSRLS;
    GRANT service_app TO CURRENT_USER;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'service_system') THEN
    CREATE ROLE service_system NOLOGIN NOBYPASSRLS;
    GRANT service_system TO CURRENT_USER;
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO service_app, service_system;

CREATE TABLE cells (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z][a-z0-9-]{0,31}$'),
  region text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE cells IS 'A region''s warehouse. Its ClickHouse address is configured by slug in the environment.';

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  ingress_events_per_minute integer CHECK (ingress_events_per_minute > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN organizations.ingress_events_per_minute IS 'The tenant''s ingress limit over all its keys; null is unlimited.';

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  cell_id uuid NOT NULL REFERENCES cells (id),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON workspaces (organization_id);

CREATE TABLE properties (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON properties (workspace_id);

CREATE TABLE sdk_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL,
  write_key text NOT NULL UNIQUE CHECK (write_key ~ '^[A-Za-z0-9_-]{16,128}$'),
  minute_cap integer CHECK (minute_cap > 0),
  hour_cap integer CHECK (hour_cap > 0),
  origins text[] NOT NULL DEFAULT '{}',
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON sdk_keys (workspace_id);
COMMENT ON COLUMN sdk_keys.write_key IS 'Shipped inside client apps, so not a secret: it may only send events.';
COMMENT ON COLUMN sdk_keys.origins IS 'Browser origins that may use the key; empty allows all.';

-- Every commit that changes what ingest keeps in memory leaves a row here. Readers compare
-- (count, min, max), which moves with each commit whatever the order of commits and pruning.
CREATE TABLE directory_revisions (
  revision bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION note_directory_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO directory_revisions DEFAULT VALUES;
  RETURN NULL;
END
$$;

CREATE TRIGGER directory_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON cells
  FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();
CREATE TRIGGER directory_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON organizations
  FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();
CREATE TRIGGER directory_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON workspaces
  FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();
CREATE TRIGGER directory_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON properties
  FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();
CREATE TRIGGER directory_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON sdk_keys
  FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();

-- Caps are counted per window over all nodes; nodes lease ahead of use.
CREATE TABLE quota_windows (
  scope text NOT NULL,
  window_start timestamptz NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (scope, window_start)
);
-- Windows that are over are removed each minute.
CREATE INDEX ON quota_windows (window_start);

-- Grants between `need` and `want` of what the window has left, or 0 when `need` does not fit.
-- A need above the whole cap is granted by an untouched window.
CREATE FUNCTION lease_quota(
  lease_scope text, starts_at timestamptz, need bigint, want bigint, cap bigint,
  OUT granted bigint, OUT total_used bigint
) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quota_windows (scope, window_start, used) VALUES (lease_scope, starts_at, 0)
  ON CONFLICT DO NOTHING;
  SELECT used INTO total_used FROM quota_windows
  WHERE scope = lease_scope AND window_start = starts_at FOR UPDATE;
  IF total_used + need <= cap OR total_used = 0 THEN
    granted := greatest(need, least(want, cap - total_used));
    total_used := total_used + granted;
    UPDATE quota_windows SET used = total_used WHERE scope = lease_scope AND window_start = starts_at;
  ELSE
    granted := 0;
  END IF;
END
$$;

-- The second wall between tenants: the application role sees the organisation of its transaction
-- and nothing else; the system role (ingest, jobs) sees all.
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
ALTER TABLE properties ENABLE ROW LEVEL SECURITY;
ALTER TABLE sdk_keys ENABLE ROW LEVEL SECURITY;

CREATE FUNCTION current_organization_id() RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('app.organization_id', true), '')::uuid
$$;

CREATE POLICY own ON organizations TO service_app
  USING (id = current_organization_id()) WITH CHECK (id = current_organization_id());
CREATE POLICY own ON workspaces TO service_app
  USING (organization_id = current_organization_id())
  WITH CHECK (organization_id = current_organization_id());
CREATE POLICY own ON properties TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY own ON sdk_keys TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON organizations TO service_system USING (true) WITH CHECK (true);
CREATE POLICY every ON workspaces TO service_system USING (true) WITH CHECK (true);
CREATE POLICY every ON properties TO service_system USING (true) WITH CHECK (true);
CREATE POLICY every ON sdk_keys TO service_system USING (true) WITH CHECK (true);

GRANT SELECT ON cells TO service_app;
GRANT SELECT, INSERT, UPDATE ON organizations, workspaces, properties, sdk_keys TO service_app;
GRANT SELECT, INSERT, UPDATE, DELETE
  ON cells, organizations, workspaces, properties, sdk_keys, quota_windows TO service_system;
GRANT SELECT, DELETE ON directory_revisions TO service_system;
GRANT EXECUTE ON FUNCTION lease_quota TO service_system;
