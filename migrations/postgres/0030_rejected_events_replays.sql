-- What became of the replays that viewers asked for.

CREATE TABLE rejected_events_replays (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  actor_id text NOT NULL,
  request jsonb NOT NULL CHECK (jsonb_typeof(request) = 'object'),
  found integer NOT NULL DEFAULT 0,
  accepted integer NOT NULL DEFAULT 0,
  uncorrectable integer NOT NULL DEFAULT 0,
  refused jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(refused) = 'object'),
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX ON rejected_events_replays (workspace_id, created_at, id);
COMMENT ON TABLE rejected_events_replays IS 'Replays of rejected events: each is done by the job of the same id, which writes the counts.';
COMMENT ON COLUMN rejected_events_replays.refused IS 'How many were refused again, by the code of the reason.';
COMMENT ON COLUMN rejected_events_replays.finished_at IS 'When all was done. Null while it waits or runs, and for ever where the job was given up.';

ALTER TABLE rejected_events_replays ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON rejected_events_replays TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON rejected_events_replays TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON rejected_events_replays TO service_app;
GRANT UPDATE (found, accepted, uncorrectable, refused, started_at, finished_at)
  ON rejected_events_replays TO service_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON rejected_events_replays TO service_system;
