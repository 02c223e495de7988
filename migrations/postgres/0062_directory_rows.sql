-- Which rows of the directory changed, and in which transaction, so that ingest loads only these. Also the
-- trace of deleted rows. A revision without a row means that anything may have changed.

ALTER TABLE directory_revisions
  ADD COLUMN changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  ADD COLUMN table_name text,
  ADD COLUMN row_id uuid,
  ADD CHECK ((table_name IS NULL) = (row_id IS NULL));
CREATE INDEX ON directory_revisions (changed_in);
COMMENT ON COLUMN directory_revisions.changed_in IS 'The transaction that changed the row: readers ask for all that a snapshot had not seen.';
COMMENT ON COLUMN directory_revisions.row_id IS 'The id of the changed row; of gateway_secrets, the workspace.';
-- Whoever prunes leaves a revision without a row, since readers may not have seen what was pruned.
GRANT INSERT ON directory_revisions TO service_system;

-- The argument is the column with the row's id.
CREATE FUNCTION note_directory_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    INSERT INTO directory_revisions DEFAULT VALUES;
    RETURN NULL;
  END IF;
  INSERT INTO directory_revisions (table_name, row_id)
  SELECT DISTINCT TG_TABLE_NAME, (version ->> TG_ARGV[0])::uuid
  FROM unnest(ARRAY[to_jsonb(OLD), to_jsonb(NEW)]) AS version
  WHERE version IS NOT NULL;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION note_directory_row FROM PUBLIC;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['cells', 'organizations', 'workspaces', 'properties', 'sdk_keys', 'gateway_secrets'] LOOP
    EXECUTE format('DROP TRIGGER directory_change ON %I', name);
    EXECUTE format('CREATE TRIGGER directory_truncate AFTER TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION note_directory_row()', name);
    EXECUTE format('CREATE TRIGGER directory_change AFTER INSERT OR DELETE OR UPDATE %s ON %I
      FOR EACH ROW EXECUTE FUNCTION note_directory_row(%L)',
      -- That a key was used is nothing that ingest must load again.
      CASE WHEN name = 'sdk_keys' THEN
        'OF id, workspace_id, name, write_key, minute_cap, hour_cap, origins, revoked_at, expires_at'
      END,
      name,
      CASE WHEN name = 'gateway_secrets' THEN 'workspace_id' ELSE 'id' END);
  END LOOP;
END
$$;
DROP FUNCTION note_directory_change();
