// Finds the snapshots that may pin a contact to a version that their data no longer fills, while it
// fills the newly Active version: those with an older version that requires a variable which the
// Active version does not. If both require the same variables, data that fills one fills the other.

/** Two common table expressions, `active` and `snapshot`. $1 is the newly Active version. */
export const BREAKABLE_SNAPSHOTS = `
  active AS (
    SELECT * FROM template_versions WHERE id = $1 AND state = 'Active'
  ), snapshot AS (
    SELECT DISTINCT snapshot_id AS id FROM journey_snapshot_pins WHERE version_id IN (
      SELECT older.id FROM template_versions AS older
      JOIN active USING (template_id, channel, language)
      WHERE older.id <> active.id AND EXISTS (
        SELECT needed ->> 'name' FROM jsonb_array_elements(older.variables) AS needed
        WHERE (needed ->> 'isRequired')::boolean
        EXCEPT
        SELECT needed ->> 'name' FROM jsonb_array_elements(active.variables) AS needed
        WHERE (needed ->> 'isRequired')::boolean))
  )`;
