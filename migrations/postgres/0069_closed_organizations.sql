-- Organizations that have ended. Their tokens and SDK keys are refused at once; the data of their people is
-- erased later, and money and audit records stay.

ALTER TABLE organizations
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN erase_at timestamptz,
  ADD COLUMN erased_at timestamptz,
  ADD CHECK ((closed_at IS NULL) = (erase_at IS NULL)),
  ADD CHECK (erased_at IS NULL OR closed_at IS NOT NULL);
CREATE INDEX ON organizations (erase_at) WHERE erase_at IS NOT NULL;
COMMENT ON COLUMN organizations.erase_at IS 'When the data of the people of its workspaces is erased.';
COMMENT ON COLUMN organizations.erased_at IS 'When it was erased; null until then.';

-- API processes compare this number each second, and load the refused organizations and users when it has
-- changed. One row: its lock puts the changes in order, so a reader cannot miss one that commits late.
CREATE TABLE access_revision (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  revision bigint NOT NULL
);
INSERT INTO access_revision (revision) VALUES (0);
GRANT SELECT ON access_revision TO service_system;

CREATE FUNCTION note_access_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE access_revision SET revision = revision + 1;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION note_access_change FROM PUBLIC;
CREATE TRIGGER access_change AFTER INSERT OR UPDATE OF closed_at ON organizations
  FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL) EXECUTE FUNCTION note_access_change();
