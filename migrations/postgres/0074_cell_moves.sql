-- Moves of workspaces to another cell. The job move-workspaces copies the rows, changes the cell of the workspace, and compares both
-- cells; the old rows stay until an operator finishes the move.

CREATE TABLE cell_moves (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  from_cell_id uuid NOT NULL REFERENCES cells (id),
  to_cell_id uuid NOT NULL REFERENCES cells (id),
  state text NOT NULL CHECK (state IN ('COPYING', 'SWITCHED', 'VERIFIED', 'DONE', 'TAKING_BACK', 'TAKEN_BACK')),
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  switched_at timestamptz,
  verified_at timestamptz,
  finish_requested_at timestamptz,
  finished_at timestamptz,
  checked_at timestamptz,
  rows_compared bigint NOT NULL DEFAULT 0,
  rows_copied bigint NOT NULL DEFAULT 0,
  report jsonb NOT NULL DEFAULT '[]',
  waits_for text,
  CHECK (from_cell_id <> to_cell_id),
  CHECK (finished_at IS NULL OR state IN ('DONE', 'TAKEN_BACK'))
);
CREATE UNIQUE INDEX ON cell_moves (workspace_id) WHERE finished_at IS NULL;
CREATE INDEX ON cell_moves (workspace_id, started_at);
COMMENT ON COLUMN cell_moves.switched_at IS 'When the cell of the workspace was changed last, also when it was changed back.';
COMMENT ON COLUMN cell_moves.checked_at IS 'When the rows of both cells were compared last.';
COMMENT ON COLUMN cell_moves.rows_compared IS 'Of the pass that is running, or else of the last one.';
COMMENT ON COLUMN cell_moves.report IS 'The result of the last complete pass, by table.';
COMMENT ON COLUMN cell_moves.waits_for IS 'Why the last attempt did not get further; null if nothing hinders it.';

ALTER TABLE cell_moves ENABLE ROW LEVEL SECURITY;
CREATE POLICY every ON cell_moves TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON cell_moves TO service_system;
