-- Webhooks to the operators' own systems: where they go, what they are signed with, and what became
-- of each.

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  url text NOT NULL CHECK (url <> '' AND length(url) <= 2048),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 500),
  event_types text[] NOT NULL DEFAULT '{}' CHECK (cardinality(event_types) <= 100),
  state text NOT NULL DEFAULT 'ENABLED' CHECK (state IN ('ENABLED', 'DISABLED', 'AUTO_DISABLED')),
  disabled_reason text CHECK (disabled_reason IN ('BY_OPERATOR', 'GONE', 'FAILING')),
  disabled_at timestamptz,
  failing_since timestamptz,
  last_success_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (id, workspace_id),
  CHECK ((state = 'ENABLED') = (disabled_reason IS NULL)),
  CHECK ((state = 'ENABLED') = (disabled_at IS NULL)),
  CHECK ((state = 'DISABLED') = (disabled_reason IS NOT DISTINCT FROM 'BY_OPERATOR'))
);
CREATE INDEX ON webhook_endpoints (workspace_id, created_at, id);
COMMENT ON COLUMN webhook_endpoints.event_types IS 'Types, or families such as payment.*; empty means all.';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'The first failure after the last success; null while it works.';
COMMENT ON COLUMN webhook_endpoints.last_success_at IS 'To some seconds.';
COMMENT ON COLUMN webhook_endpoints.version IS 'Of what people decide about it; what deliveries note changes no version, but for the end that they put to it.';

CREATE TABLE webhook_secrets (
  endpoint_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  field text NOT NULL DEFAULT 'signing_secret' CHECK (field = 'signing_secret'),
  generation text NOT NULL CHECK (generation IN ('CURRENT', 'PREVIOUS')),
  key_id text NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  PRIMARY KEY (endpoint_id, generation),
  FOREIGN KEY (endpoint_id, workspace_id) REFERENCES webhook_endpoints (id, workspace_id)
    ON DELETE CASCADE,
  CHECK ((generation = 'PREVIOUS') = (expires_at IS NOT NULL))
);
CREATE INDEX ON webhook_secrets (key_id);
COMMENT ON TABLE webhook_secrets IS 'Sealed with AES-256-GCM under ENCRYPTION_KEYS and bound to endpoint and field.';
COMMENT ON COLUMN webhook_secrets.expires_at IS 'Until then a replaced one signs as well, so that receivers have time to follow.';

-- No foreign keys from here on: an endpoint is deleted at once, however many deliveries it has had,
-- and what was never sent is cancelled a little later.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'PENDING'
    CHECK (state IN ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  cause text NOT NULL DEFAULT 'SCHEDULED' CHECK (cause IN ('SCHEDULED', 'REPLAY', 'TEST')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  step integer NOT NULL DEFAULT 0 CHECK (step >= 0),
  next_attempt_at timestamptz,
  claimed_until timestamptz,
  last_status integer,
  last_outcome text,
  last_latency_ms integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  UNIQUE (endpoint_id, event_id),
  CHECK ((state = 'PENDING') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'PENDING') = (finished_at IS NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, id)
  WHERE state = 'PENDING';
CREATE INDEX ON webhook_deliveries (workspace_id, created_at, id);
CREATE INDEX ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (endpoint_id, created_at, id)
  WHERE state IN ('FAILED', 'CANCELLED');
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at)
  WHERE finished_at IS NOT NULL;
COMMENT ON TABLE webhook_deliveries IS 'One event to one endpoint, and how far it came. Of an endpoint that was disabled lately: CANCELLED from the start, to be replayed.';
COMMENT ON COLUMN webhook_deliveries.cause IS 'Of the attempts from now on.';
COMMENT ON COLUMN webhook_deliveries.attempts IS 'All of them; also what a result is compared by, so that one that comes after its claim ran out is not taken for a later one''s.';
COMMENT ON COLUMN webhook_deliveries.step IS 'How many attempts of the schedule have failed; a replay begins it anew.';
COMMENT ON COLUMN webhook_deliveries.claimed_until IS 'Until then a process has it, which renews this for as long as it lives.';

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  cause text NOT NULL CHECK (cause IN ('SCHEDULED', 'REPLAY', 'TEST')),
  attempted_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('DELIVERED', 'REFUSED', 'REDIRECTED', 'GONE', 'TIMED_OUT',
    'CONNECTION_FAILED', 'TLS_FAILED', 'ADDRESS_REFUSED', 'INTERRUPTED')),
  status integer,
  latency_ms integer NOT NULL CHECK (latency_ms >= 0),
  reason text NOT NULL DEFAULT '',
  PRIMARY KEY (delivery_id, number)
);
COMMENT ON COLUMN webhook_attempts.reason IS 'In our words; nothing of what the receiver said but its status.';

-- What was told while there was nobody to be told stays as it is: there are no endpoints yet.
ALTER TABLE outbound_events ADD COLUMN fanned_out_at timestamptz DEFAULT now();
ALTER TABLE outbound_events ALTER COLUMN fanned_out_at DROP DEFAULT;
COMMENT ON COLUMN outbound_events.fanned_out_at IS 'When its deliveries were made, in the same transaction.';
CREATE INDEX outbound_events_waiting ON outbound_events (workspace_id, created_at, id)
  WHERE fanned_out_at IS NULL;
CREATE INDEX outbound_events_old ON outbound_events USING brin (created_at) WITH (autosummarize = on);

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['webhook_endpoints', 'webhook_secrets', 'webhook_deliveries',
      'webhook_attempts'] LOOP
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
GRANT INSERT, UPDATE, DELETE ON webhook_endpoints, webhook_secrets TO service_app;
GRANT INSERT, UPDATE ON webhook_deliveries TO service_app;
-- The event of a test.
GRANT INSERT ON outbound_events TO service_app;
