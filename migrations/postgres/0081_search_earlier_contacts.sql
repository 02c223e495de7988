-- @without-transaction
-- Contacts from before 0080 are found by search too. A thousand at a time, each in a transaction of its own:
-- FOR SHARE reads the latest version of a contact and delays its change for the milliseconds that a batch takes.
-- They are locked in the same order as by ingest, so the two cannot deadlock.

-- accepted: only inserts into a table that no earlier release reads, in short transactions
DO $$
DECLARE
  last_workspace uuid := '00000000-0000-0000-0000-000000000000';
  last_user text := '';
BEGIN
  LOOP
    WITH batch AS MATERIALIZED (
      SELECT id, workspace_id, user_id, traits FROM contacts
      WHERE (workspace_id, user_id) > (last_workspace, last_user)
      ORDER BY workspace_id, user_id LIMIT 1000
      FOR SHARE
    ), added AS (
      INSERT INTO contact_search_terms (contact_id, workspace_id, term)
      SELECT id, workspace_id, unnest(contact_search_terms(user_id, traits)) FROM batch
      ON CONFLICT DO NOTHING
    )
    SELECT workspace_id, user_id INTO last_workspace, last_user
    FROM batch ORDER BY workspace_id DESC, user_id DESC LIMIT 1;
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END
$$;
