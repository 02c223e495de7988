-- An owner of an organization cannot restore a user whom a platform admin revoked.

ALTER TABLE revoked_subjects ADD COLUMN is_by_platform boolean NOT NULL DEFAULT false;

DROP POLICY own ON revoked_subjects;
CREATE POLICY own ON revoked_subjects FOR SELECT TO service_app
  USING (organization_id = current_organization_id());
CREATE POLICY own_insert ON revoked_subjects FOR INSERT TO service_app
  WITH CHECK (organization_id = current_organization_id() AND NOT is_by_platform);
CREATE POLICY own_delete ON revoked_subjects FOR DELETE TO service_app
  USING (organization_id = current_organization_id() AND NOT is_by_platform);
