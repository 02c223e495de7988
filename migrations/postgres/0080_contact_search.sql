-- Contacts are found by the beginning of their user ID, name or email, regardless of case. Row-level security
-- allows only leakproof conditions to use an index, which lower(), ->> and LIKE are not. So the lowercase texts
-- have their own table, which triggers keep equal to the contacts.

CREATE TABLE contact_search_terms (
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  workspace_id uuid NOT NULL,
  term text NOT NULL CHECK (term <> ''),
  PRIMARY KEY (contact_id, term)
);
CREATE INDEX ON contact_search_terms (workspace_id, term text_pattern_ops, contact_id);
COMMENT ON TABLE contact_search_terms IS 'The texts by which contacts are found: lowercase, the first 128 characters.';

ALTER TABLE contact_search_terms ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON contact_search_terms TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON contact_search_terms TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON contact_search_terms TO service_app, service_system;

CREATE FUNCTION text_in(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN jsonb_typeof(value) = 'string' THEN btrim(value #>> '{}') END $$;

-- A last name and the last word of a name are their own terms, so that people are found by their surname too.
-- The traits, which can be large, are read once.
CREATE FUNCTION contact_search_terms(user_id text, traits jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$
  WITH said AS MATERIALIZED (
    SELECT text_in(name) AS name, text_in("fullName") AS full_name, text_in(full_name) AS full_name_2,
           coalesce(text_in("firstName"), text_in(first_name)) AS first_name,
           coalesce(text_in("lastName"), text_in(last_name)) AS last_name, text_in(email) AS email
    FROM jsonb_to_record(traits) AS trait (name jsonb, "fullName" jsonb, full_name jsonb, "firstName" jsonb,
      first_name jsonb, "lastName" jsonb, last_name jsonb, email jsonb)
  ), names AS (
    SELECT unnest(ARRAY[name, full_name, full_name_2, last_name, concat_ws(' ', first_name, last_name)]) AS name
    FROM said
  )
  SELECT array_agg(DISTINCT left(lower(term), 128)) FROM (
    SELECT user_id AS term
    UNION ALL SELECT email FROM said
    UNION ALL SELECT name FROM names
    UNION ALL SELECT split_part(name, ' ', -1) FROM names
  ) AS terms
  WHERE term <> ''
$$;

CREATE FUNCTION write_contact_search_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted text[] := contact_search_terms(NEW.user_id, NEW.traits);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF wanted = contact_search_terms(OLD.user_id, OLD.traits) THEN
      RETURN NULL;
    END IF;
    DELETE FROM contact_search_terms WHERE contact_id = NEW.id AND term <> ALL (wanted);
  END IF;
  INSERT INTO contact_search_terms (contact_id, workspace_id, term)
  SELECT NEW.id, NEW.workspace_id, unnest(wanted) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER search_terms_of_new AFTER INSERT ON contacts
  FOR EACH ROW EXECUTE FUNCTION write_contact_search_terms();
CREATE TRIGGER search_terms_of_changed AFTER UPDATE OF user_id, traits ON contacts
  FOR EACH ROW WHEN (OLD.traits IS DISTINCT FROM NEW.traits OR OLD.user_id <> NEW.user_id)
  EXECUTE FUNCTION write_contact_search_terms();
