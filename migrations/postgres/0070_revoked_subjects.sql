-- Users whose tokens are refused although they have not expired, in one organization or in all.

CREATE TABLE revoked_subjects (
  id uuid PRIMARY KEY,
  organization_id uuid REFERENCES organizations (id),
  subject text NOT NULL CHECK (subject <> '' AND length(subject) <= 255),
  revoked_by text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (organization_id, subject)
);
COMMENT ON COLUMN revoked_subjects.organization_id IS 'Null: in all organizations.';
COMMENT ON COLUMN revoked_subjects.subject IS 'The claim sub of the tokens.';

ALTER TABLE revoked_subjects ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON revoked_subjects TO service_app
  USING (organization_id = current_organization_id())
  WITH CHECK (organization_id = current_organization_id());
CREATE POLICY every ON revoked_subjects TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON revoked_subjects TO service_app, service_system;

CREATE TRIGGER access_change AFTER INSERT OR DELETE ON revoked_subjects
  FOR EACH STATEMENT EXECUTE FUNCTION note_access_change();
