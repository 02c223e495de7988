// Which snapshots may hold pins that somebody's data no longer fills while it does fill the version that
// became Active: those with an older version that needs what the Active one doesn't. Where all that
// the older one needs is needed by both, data that fills the one fills the other.

/** Two common table expressions, `active` and `snapshot`; $1 is the version that became Active. */
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
