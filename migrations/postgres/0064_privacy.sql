-- People who are erased or exported. Their IDs are stored as hashes only, so that the record of an erasure is
-- not itself a record of the person.

CREATE FUNCTION person_hash(of_workspace uuid, person_id text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(of_workspace::text || E'\n' || person_id, 'UTF8')), 'hex')
$$;

CREATE TABLE privacy_settings (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
  late_days integer NOT NULL CHECK (late_days BETWEEN 0 AND 3650),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN privacy_settings.late_days IS 'How long data that arrives after an erasure is deleted as well.';

CREATE TABLE person_erasures (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  actor_id text NOT NULL,
  state text NOT NULL DEFAULT 'QUEUED'
    CHECK (state IN ('QUEUED', 'RUNNING', 'SETTLING', 'WATCHING', 'COMPLETED')),
  digest text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  name_hashes text[] NOT NULL,
  device_hashes text[] NOT NULL,
  late_days integer NOT NULL CHECK (late_days BETWEEN 0 AND 3650),
  receipt jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(receipt) = 'array'),
  next_pass_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  erased_at timestamptz,
  completed_at timestamptz,
  CHECK ((state = 'COMPLETED') = (completed_at IS NOT NULL)),
  CHECK ((state = 'COMPLETED') = (next_pass_at IS NULL))
);
CREATE INDEX ON person_erasures (workspace_id, created_at, id);
CREATE INDEX ON person_erasures (next_pass_at) WHERE next_pass_at IS NOT NULL;
COMMENT ON COLUMN person_erasures.digest IS 'Of all IDs: shows whom the receipt is about to those who know the IDs.';
COMMENT ON COLUMN person_erasures.name_hashes IS 'person_hash of user and contact IDs; empty once completed.';
COMMENT ON COLUMN person_erasures.device_hashes IS 'person_hash of anonymous IDs; empty once completed.';
COMMENT ON COLUMN person_erasures.receipt IS 'Rows per table: before, deleted later, left, and why rows are kept.';

CREATE TABLE person_exports (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  actor_id text NOT NULL,
  name_hashes text[] NOT NULL,
  device_hashes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX ON person_exports (workspace_id, created_at, id);
CREATE INDEX ON person_exports (expires_at);
COMMENT ON TABLE person_exports IS 'Permissions to download what is stored about a person. The document is written while it is downloaded.';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['privacy_settings', 'person_erasures', 'person_exports'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO service_system', name);
  END LOOP;
END
$$;
GRANT UPDATE ON privacy_settings TO service_app;

-- Append-only tables refuse changes to everyone but the functions below, which set app.erasing for themselves.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('app.erasing', true) = TG_TABLE_NAME AND TG_OP <> 'TRUNCATE' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$;

-- Those in flight leave first, so that the counts of enrolments in flight stay right.
CREATE FUNCTION erase_enrolments(of_workspace uuid, names text[], at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  gone uuid[];
  erased bigint;
BEGIN
  PERFORM set_config('app.erasing', 'enrolments', true);
  SELECT array_agg(enrolments.id) INTO gone
  FROM enrolments JOIN contacts ON contacts.id = enrolments.contact_id
  WHERE contacts.workspace_id = of_workspace
    AND (person_hash(of_workspace, contacts.user_id) = ANY (names)
      OR person_hash(of_workspace, contacts.id::text) = ANY (names));
  UPDATE enrolments SET state = 'EXITED', next_at = NULL, ended_at = at
  WHERE id = ANY (gone) AND ended_at IS NULL;
  DELETE FROM enrolment_overrides WHERE enrolment_id = ANY (gone);
  DELETE FROM enrolments WHERE id = ANY (gone);
  GET DIAGNOSTICS erased = ROW_COUNT;
  PERFORM set_config('app.erasing', '', true);
  RETURN erased;
END
$$;

-- Who did what and when stays; which contact it was, and the values, do not.
CREATE FUNCTION redact_audit_entries(of_workspace uuid, names text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  redacted bigint;
BEGIN
  PERFORM set_config('app.erasing', 'audit_log', true);
  UPDATE audit_log SET subject_id = '00000000-0000-0000-0000-000000000000', before = NULL, after = NULL
  WHERE workspace_id = of_workspace AND subject_type = 'contact'
    AND person_hash(of_workspace, subject_id) = ANY (names);
  GET DIAGNOSTICS redacted = ROW_COUNT;
  PERFORM set_config('app.erasing', '', true);
  RETURN redacted;
END
$$;

REVOKE EXECUTE ON FUNCTION erase_enrolments, redact_audit_entries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_enrolments, redact_audit_entries TO service_system;
