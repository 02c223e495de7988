-- How long a workspace keeps its rows of ClickHouse. Without a rule, all are kept.

CREATE TABLE retention_rules (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  dataset text NOT NULL CHECK (dataset ~ '^[A-Z][A-Z_]{0,31}$'),
  keep_days integer NOT NULL CHECK (keep_days BETWEEN 1 AND 3650),
  effective_at timestamptz NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_run_at timestamptz,
  deleted_rows bigint NOT NULL DEFAULT 0 CHECK (deleted_rows >= 0),
  UNIQUE (workspace_id, dataset)
);
CREATE INDEX ON retention_rules (workspace_id, created_at, id);
CREATE INDEX ON retention_rules (effective_at);
COMMENT ON COLUMN retention_rules.dataset IS 'The tables that it applies to, as in warehouse-tables.ts.';
COMMENT ON COLUMN retention_rules.effective_at IS 'Nothing is deleted before: a day after the rule was set.';

ALTER TABLE retention_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON retention_rules TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON retention_rules TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON retention_rules TO service_app, service_system;
