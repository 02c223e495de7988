-- What goes to the channels' approvers and what comes back from them, beside the versions themselves.

CREATE TABLE approval_sendings (
  submission_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('messaging_app', 'sms', 'email')),
  state text NOT NULL DEFAULT 'WAITING'
    CHECK (state IN ('WAITING', 'SENDING', 'SENT', 'REFUSED', 'WITHDRAWN')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  fault text,
  upstream_status text,
  seen_at timestamptz,
  health text CHECK (health IN ('OK', 'FLAGGED', 'PAUSED', 'DISABLED')),
  health_at timestamptz,
  health_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (submission_id, workspace_id) REFERENCES template_submissions (id, workspace_id),
  CHECK ((health IS NULL) = (health_at IS NULL))
);
CREATE INDEX approval_sendings_due ON approval_sendings (next_attempt_at, submission_id)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX ON approval_sendings (workspace_id, channel);
COMMENT ON TABLE approval_sendings IS 'How far a submission has come on its way to the approver. SENDING is written before anything is sent: until SENT, it may have arrived.';
COMMENT ON COLUMN approval_sendings.next_attempt_at IS 'When somebody takes it up again; null while there is nothing to do.';
COMMENT ON COLUMN approval_sendings.upstream_status IS 'The approver''s last word, as it writes it; MISSING where it no longer lists the template.';
COMMENT ON COLUMN approval_sendings.health_at IS 'When the approver said so, by its own clock where it names a time: what is older changes nothing.';

CREATE UNIQUE INDEX template_submissions_upstream_name ON template_submissions (channel, upstream_name)
  WHERE upstream_name IS NOT NULL;

CREATE TABLE approval_events (
  id uuid PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('messaging_app', 'sms', 'email')),
  source text NOT NULL CHECK (source IN ('WEBHOOK', 'POLL', 'SYNC')),
  event_key text NOT NULL,
  upstream_name text NOT NULL,
  upstream_id text,
  word text NOT NULL,
  reason text,
  health_until timestamptz,
  occurred_at timestamptz NOT NULL,
  body bytea NOT NULL,
  state text NOT NULL DEFAULT 'RECEIVED' CHECK (state IN ('RECEIVED', 'PROCESSED', 'IGNORED', 'FAILED')),
  why text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  workspace_id uuid,
  submission_id uuid,
  version_id uuid,
  processed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (channel, event_key),
  CHECK ((state = 'RECEIVED') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX approval_events_due ON approval_events (next_attempt_at, id) WHERE state = 'RECEIVED';
CREATE INDEX ON approval_events (workspace_id, created_at, id) WHERE workspace_id IS NOT NULL;
COMMENT ON TABLE approval_events IS 'Everything that an approver said, once, before anything is done about it, and what was done.';
COMMENT ON COLUMN approval_events.event_key IS 'What makes two deliveries the same event, from what was signed alone.';
COMMENT ON COLUMN approval_events.body IS 'The bytes that came; for no tenant, since a delivery may be about several.';
COMMENT ON COLUMN approval_events.why IS 'What it did, or why it did nothing.';

CREATE TABLE template_alerts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  template_id uuid NOT NULL,
  version_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  channel text NOT NULL,
  step integer NOT NULL CHECK (step > 0),
  due_at timestamptz NOT NULL,
  cleared_at timestamptz,
  cleared_by text CHECK (cleared_by IN ('APPROVED', 'REJECTED', 'CANCELED')),
  created_at timestamptz NOT NULL,
  UNIQUE (submission_id, step),
  FOREIGN KEY (submission_id, workspace_id) REFERENCES template_submissions (id, workspace_id),
  CHECK ((cleared_at IS NULL) = (cleared_by IS NULL))
);
CREATE INDEX ON template_alerts (workspace_id, created_at, id);
COMMENT ON TABLE template_alerts IS 'That a submission waits for too long: once per step, cleared by what ends the waiting.';

-- Whatever ends it, and in its transaction: no alert stays for a submission that is over.
CREATE FUNCTION clear_template_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE template_alerts SET cleared_at = coalesce(NEW.decided_at, now()), cleared_by = NEW.state
  WHERE submission_id = NEW.id AND cleared_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER clears_alerts AFTER UPDATE OF state ON template_submissions
  FOR EACH ROW WHEN (OLD.state = 'PENDING' AND NEW.state <> 'PENDING')
  EXECUTE FUNCTION clear_template_alerts();

CREATE TABLE approval_settings (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
  messaging_app_hours integer NOT NULL CHECK (messaging_app_hours BETWEEN 1 AND 720),
  sms_business_days integer NOT NULL CHECK (sms_business_days BETWEEN 1 AND 30),
  email_hours integer NOT NULL CHECK (email_hours BETWEEN 1 AND 720),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE approval_settings IS 'After how long without a verdict operators are told. Without a row, the defaults.';

CREATE TABLE approval_syncs (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  channel text NOT NULL CHECK (channel IN ('messaging_app', 'sms', 'email')),
  last_attempt_at timestamptz NOT NULL,
  last_success_at timestamptz,
  fault text,
  PRIMARY KEY (workspace_id, channel)
);
COMMENT ON TABLE approval_syncs IS 'When an approver was last asked about a workspace''s submissions, and whether it answered.';

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['approval_sendings', 'approval_events', 'template_alerts',
      'approval_settings', 'approval_syncs'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO service_system', name);
  END LOOP;
END
$$;
GRANT UPDATE ON template_alerts TO service_app;
GRANT INSERT, UPDATE ON approval_settings TO service_app;
