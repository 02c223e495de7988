-- Finding out the search terms of a contact costs more than storing a change of its traits, and most changes are of
-- other traits. So the trigger runs only if something changed that contact_search_terms() reads. The two have the
-- same list.

CREATE OR REPLACE TRIGGER search_terms_of_changed AFTER UPDATE OF user_id, traits ON contacts
  FOR EACH ROW WHEN (
    OLD.user_id <> NEW.user_id
    OR OLD.traits -> 'name' IS DISTINCT FROM NEW.traits -> 'name'
    OR OLD.traits -> 'fullName' IS DISTINCT FROM NEW.traits -> 'fullName'
    OR OLD.traits -> 'full_name' IS DISTINCT FROM NEW.traits -> 'full_name'
    OR OLD.traits -> 'firstName' IS DISTINCT FROM NEW.traits -> 'firstName'
    OR OLD.traits -> 'first_name' IS DISTINCT FROM NEW.traits -> 'first_name'
    OR OLD.traits -> 'lastName' IS DISTINCT FROM NEW.traits -> 'lastName'
    OR OLD.traits -> 'last_name' IS DISTINCT FROM NEW.traits -> 'last_name'
    OR OLD.traits -> 'email' IS DISTINCT FROM NEW.traits -> 'email'
  )
  EXECUTE FUNCTION write_contact_search_terms();
