-- What the control plane adds: who changed what, repeats of requests that were answered already, and
-- keys that are replaced with an overlap.

CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  organization_id uuid REFERENCES organizations (id),
  workspace_id uuid REFERENCES workspaces (id),
  actor_id text NOT NULL CHECK (actor_id <> ''),
  action text NOT NULL CHECK (action ~ '^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$'),
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  before jsonb CHECK (jsonb_typeof(before) = 'object'),
  after jsonb CHECK (jsonb_typeof(after) = 'object'),
  request_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON audit_log (organization_id, created_at, id);
CREATE INDEX ON audit_log (workspace_id, created_at, id);
CREATE INDEX ON audit_log (subject_type, subject_id, created_at);
COMMENT ON TABLE audit_log IS 'Who changed what, in the transaction of the change. Rows are only ever added.';
COMMENT ON COLUMN audit_log.organization_id IS 'Null for what belongs to no organisation, such as a cell.';
COMMENT ON COLUMN audit_log.before IS 'Of what changed, without secrets; null where there was nothing before.';

-- Grants alone would leave the owner's own statements.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE idempotency_records (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  operation text NOT NULL,
  key text NOT NULL CHECK (key ~ '^[ -~]{1,255}$'),
  request_hash bytea NOT NULL,
  result jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, operation, key)
);
CREATE INDEX ON idempotency_records (created_at);
COMMENT ON TABLE idempotency_records IS 'The answer to a request with an idempotency key, written by the transaction that did its work.';

ALTER TABLE sdk_keys
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN rotated_from_id uuid UNIQUE REFERENCES sdk_keys (id),
  ADD COLUMN last_used_at timestamptz,
  ADD COLUMN created_by text;
CREATE INDEX ON sdk_keys (workspace_id, created_at, id);
COMMENT ON COLUMN sdk_keys.expires_at IS 'A rotated key works until then, beside its successor; from then on it is like a revoked one.';
COMMENT ON COLUMN sdk_keys.rotated_from_id IS 'The key that this one replaces; a key is replaced once.';
COMMENT ON COLUMN sdk_keys.last_used_at IS 'Within minutes; ingest does not wait for it.';
COMMENT ON COLUMN sdk_keys.created_by IS 'The user, where a user made it.';

-- That a key was used is nothing that ingest must load its directory again for.
DROP TRIGGER directory_change ON sdk_keys;
CREATE TRIGGER directory_change
  AFTER INSERT OR DELETE OR TRUNCATE
    OR UPDATE OF id, workspace_id, name, write_key, minute_cap, hour_cap, origins, revoked_at, expires_at
  ON sdk_keys FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();

ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_records ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON audit_log TO service_app
  USING (organization_id = current_organization_id())
  WITH CHECK (
    organization_id = current_organization_id()
    AND (workspace_id IS NULL OR workspace_id IN (SELECT id FROM workspaces))
  );
CREATE POLICY own ON idempotency_records TO service_app
  USING (organization_id = current_organization_id())
  WITH CHECK (organization_id = current_organization_id());
CREATE POLICY every ON audit_log TO service_system USING (true) WITH CHECK (true);
CREATE POLICY every ON idempotency_records TO service_system USING (true) WITH CHECK (true);

GRANT SELECT, INSERT ON audit_log TO service_app, service_system;
GRANT SELECT, INSERT, UPDATE ON idempotency_records TO service_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_records TO service_system;
