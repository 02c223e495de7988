-- Which requests an SDK key accepts: those of the contract, or also those of other vendors' clients.

ALTER TABLE sdk_keys
  ADD COLUMN accepts text NOT NULL DEFAULT 'CONTRACT' CHECK (accepts IN ('CONTRACT', 'COMPATIBLE'));
COMMENT ON COLUMN sdk_keys.accepts IS 'COMPATIBLE: ingest also reads requests of Segment''s and RudderStack''s clients, and fills in what they do not send.';

-- Ingest loads the key again when the column changes.
DROP TRIGGER directory_change ON sdk_keys;
CREATE TRIGGER directory_change
  AFTER INSERT OR DELETE
     OR UPDATE OF id, workspace_id, name, write_key, minute_cap, hour_cap, origins, accepts, revoked_at, expires_at
  ON sdk_keys FOR EACH ROW EXECUTE FUNCTION note_directory_row('id');
