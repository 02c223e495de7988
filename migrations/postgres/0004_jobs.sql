-- Work that the control plane does later: when which scheduled job fell due, jobs that an action asked
-- for, and rows on their way to ClickHouse. The queue itself is pg-boss's, in a schema of its own.

CREATE TABLE job_runs (
  job text NOT NULL,
  due_at timestamptz NOT NULL,
  is_baseline boolean NOT NULL DEFAULT false,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (job, due_at)
);
COMMENT ON TABLE job_runs IS 'Which times of a scheduled job''s plan are dealt with: whoever adds the row queues the run, in the same transaction.';
COMMENT ON COLUMN job_runs.is_baseline IS 'From when on the plan counts: written when a job is first known, and not run.';

CREATE TABLE job_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  job text NOT NULL CHECK (job <> ''),
  data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON job_requests (organization_id);
COMMENT ON TABLE job_requests IS 'Jobs that an action asked for, in its transaction; they move on to the queue at once, under the same id.';

CREATE TABLE ingest_outbox (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  table_name text NOT NULL,
  row jsonb NOT NULL CHECK (jsonb_typeof(row) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now(),
  retry_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  failed_at timestamptz,
  failure text
);
CREATE INDEX ON ingest_outbox (retry_at, id) WHERE failed_at IS NULL;
CREATE INDEX ON ingest_outbox (failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX ON ingest_outbox (workspace_id);
COMMENT ON TABLE ingest_outbox IS 'Rows for ClickHouse, which only ingest writes to: removed once ingest has them on disk.';
COMMENT ON COLUMN ingest_outbox.row IS 'Values by column, with the identity by which a repeat is the same row.';
COMMENT ON COLUMN ingest_outbox.failed_at IS 'Since when ingest refuses the row itself, so that it waits for a person.';

ALTER TABLE job_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE ingest_outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON job_requests TO service_app
  USING (organization_id = current_organization_id())
  WITH CHECK (organization_id = current_organization_id());
CREATE POLICY own ON ingest_outbox TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON job_requests TO service_system USING (true) WITH CHECK (true);
CREATE POLICY every ON ingest_outbox TO service_system USING (true) WITH CHECK (true);

GRANT SELECT, INSERT ON job_requests, ingest_outbox TO service_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_runs, job_requests, ingest_outbox TO service_system;
