-- All versions of a workspace, newest first, whatever their template and state.

CREATE INDEX ON template_versions (workspace_id, created_at, id);
