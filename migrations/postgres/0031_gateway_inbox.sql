-- What the payment gateway tells us, and what a workspace with a merchant account of its own has to
-- know it by.

CREATE TABLE gateway_credentials (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
  mode text NOT NULL CHECK (mode IN ('MANAGED', 'BYOM')),
  environment text NOT NULL CHECK (environment IN ('SANDBOX', 'PRODUCTION')),
  client_id text CHECK (client_id <> ''),
  version integer NOT NULL DEFAULT 1,
  checked_at timestamptz,
  check_result text CHECK (check_result <> ''),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((mode = 'BYOM') = (client_id IS NOT NULL)),
  CHECK ((checked_at IS NULL) = (check_result IS NULL))
);
COMMENT ON TABLE gateway_credentials IS 'How a workspace is paid: under the platform''s merchant account (MANAGED, also where there is no row) or under its own (BYOM). What of it is secret is in gateway_secrets.';
COMMENT ON COLUMN gateway_credentials.check_result IS 'Of the last call made to try them: OK, or the gateway''s code.';

CREATE TABLE gateway_secrets (
  workspace_id uuid NOT NULL REFERENCES gateway_credentials (workspace_id) ON DELETE CASCADE,
  field text NOT NULL CHECK (field IN ('client_secret', 'webhook_secret', 'abandoned_checkout_secret')),
  generation text NOT NULL CHECK (generation IN ('CURRENT', 'PREVIOUS')),
  key_id text NOT NULL,
  sealed text NOT NULL,
  fingerprint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  PRIMARY KEY (workspace_id, field, generation),
  CHECK ((generation = 'PREVIOUS') = (expires_at IS NOT NULL))
);
CREATE INDEX ON gateway_secrets (key_id);
COMMENT ON TABLE gateway_secrets IS 'Sealed with AES-256-GCM under ENCRYPTION_KEYS and bound to workspace and field.';
COMMENT ON COLUMN gateway_secrets.fingerprint IS 'What is shown of it: its last four characters.';
COMMENT ON COLUMN gateway_secrets.expires_at IS 'Until then a replaced one still counts, since webhooks signed with it are retried.';

-- Ingest keeps them in memory, sealed and opened. What else is written to credentials it needn't know.
CREATE TRIGGER directory_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON gateway_secrets
  FOR EACH STATEMENT EXECUTE FUNCTION note_directory_change();

CREATE TABLE gateway_events (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  event_key text NOT NULL CHECK (event_key <> ''),
  type text NOT NULL,
  family text NOT NULL,
  version text NOT NULL DEFAULT '',
  body bytea NOT NULL,
  verified_field text NOT NULL CHECK (verified_field IN ('webhook_secret', 'abandoned_checkout_secret')),
  verified_generation text NOT NULL CHECK (verified_generation IN ('CURRENT', 'PREVIOUS')),
  received_at timestamptz NOT NULL,
  event_at timestamptz,
  state text NOT NULL DEFAULT 'RECEIVED'
    CHECK (state IN ('RECEIVED', 'PROCESSED', 'IGNORED', 'FAILED', 'PARKED')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  processed_at timestamptz,
  error text,
  effect jsonb,
  workspace_id uuid,
  UNIQUE (account_id, event_key)
);
CREATE INDEX gateway_events_due ON gateway_events (next_attempt_at, id) WHERE state IN ('RECEIVED', 'FAILED');
CREATE INDEX ON gateway_events (workspace_id, received_at, id) WHERE workspace_id IS NOT NULL;
CREATE INDEX ON gateway_events (state, received_at, id) WHERE state IN ('FAILED', 'PARKED');
COMMENT ON TABLE gateway_events IS 'The inbox: every event whose signature was right, once, before anything is done about it.';
COMMENT ON COLUMN gateway_events.account_id IS 'Whose secret signed it: all zeros for the platform''s, else the workspace''s id. It may touch objects of that account only.';
COMMENT ON COLUMN gateway_events.event_key IS 'What makes two deliveries the same event, from the signed body alone.';
COMMENT ON COLUMN gateway_events.type IS 'As sent, shortened where it is no gateway''s.';
COMMENT ON COLUMN gateway_events.version IS 'A header, which nobody signed.';
COMMENT ON COLUMN gateway_events.body IS 'The bytes that were signed.';
COMMENT ON COLUMN gateway_events.next_attempt_at IS 'Null while nobody waits for it.';
COMMENT ON COLUMN gateway_events.workspace_id IS 'Whose it is, once that is known. No foreign key: what was signed is kept, whatever became of the workspace.';

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['gateway_credentials', 'gateway_secrets', 'gateway_events'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO service_system', name);
  END LOOP;
END
$$;
GRANT INSERT, UPDATE, DELETE ON gateway_credentials, gateway_secrets TO service_app;
