-- Exports of events. There are no files: an export is a list of chunks, each a period with its number of
-- events, which a download reads from ClickHouse.

CREATE TABLE event_exports (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  format text NOT NULL CHECK (format IN ('PARQUET', 'JSON_LINES')),
  names text[] NOT NULL DEFAULT '{}',
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  received_before timestamptz NOT NULL,
  day_count integer NOT NULL CHECK (day_count > 0),
  days_done integer NOT NULL DEFAULT 0 CHECK (days_done BETWEEN 0 AND day_count),
  chunk_count integer NOT NULL DEFAULT 0,
  event_count integer NOT NULL DEFAULT 0,
  fault text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  expires_at timestamptz NOT NULL,
  UNIQUE (id, workspace_id),
  CHECK (to_at > from_at)
);
CREATE INDEX ON event_exports (workspace_id, created_at, id);
CREATE INDEX ON event_exports (expires_at);
COMMENT ON COLUMN event_exports.names IS 'The names of the events, pages and screens; empty for all.';
COMMENT ON COLUMN event_exports.received_before IS 'Events received later are not part of the export.';
COMMENT ON COLUMN event_exports.days_done IS 'The days, in UTC, whose chunks are known. The job continues there.';
COMMENT ON COLUMN event_exports.fault IS 'The error code with which the job gave up.';

CREATE TABLE event_export_chunks (
  export_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  workspace_id uuid NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  events integer NOT NULL CHECK (events > 0),
  fingerprint text NOT NULL,
  PRIMARY KEY (export_id, number),
  FOREIGN KEY (export_id, workspace_id) REFERENCES event_exports (id, workspace_id) ON DELETE CASCADE
);
COMMENT ON COLUMN event_export_chunks.fingerprint IS 'A hash of which events the chunk has.';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['event_exports', 'event_export_chunks'] LOOP
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
GRANT INSERT, DELETE ON event_exports TO service_app;
