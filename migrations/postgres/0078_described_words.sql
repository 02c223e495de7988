-- Payments are found by the words of their link's purpose or their order's note. Full-text search could not
-- use an index under row-level security, so the words have rows of their own, which are compared as text.

-- In lower case, divided at ASCII and Latin-1 signs, spaces and general punctuation.
CREATE FUNCTION words_of(described text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT DISTINCT left(word, 100)
  FROM regexp_split_to_table(lower(described), '[\u0001-/:-@\u005b-`{-\u00bf\u2000-\u206f]+') AS word
  WHERE word <> ''
$$;

CREATE TABLE gateway_described_words (
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  object_kind text NOT NULL CHECK (object_kind IN ('link', 'order')),
  object_id text NOT NULL,
  -- The beginning of a word is a range only in this collation.
  word text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, object_kind, object_id, word)
);
CREATE INDEX gateway_described_words_by_word ON gateway_described_words (workspace_id, word);
COMMENT ON COLUMN gateway_described_words.object_id IS 'The minted ID of the link or order.';

ALTER TABLE gateway_described_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON gateway_described_words TO service_app
  USING (workspace_id IN (SELECT id FROM workspaces))
  WITH CHECK (workspace_id IN (SELECT id FROM workspaces));
CREATE POLICY every ON gateway_described_words TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT ON gateway_described_words TO service_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON gateway_described_words TO service_system;

-- A purpose and a note never change. A trigger, so that the previous release also adds the words.
CREATE FUNCTION add_described_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'gateway_links' THEN
    INSERT INTO gateway_described_words (workspace_id, object_kind, object_id, word)
    SELECT NEW.workspace_id, 'link', NEW.link_id, word FROM words_of(NEW.purpose) AS word
    ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO gateway_described_words (workspace_id, object_kind, object_id, word)
    SELECT NEW.workspace_id, 'order', NEW.order_id, word FROM words_of(NEW.note) AS word
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER described AFTER INSERT ON gateway_links
  FOR EACH ROW WHEN (NEW.workspace_id IS NOT NULL) EXECUTE FUNCTION add_described_words();
CREATE TRIGGER described AFTER INSERT ON gateway_orders
  FOR EACH ROW WHEN (NEW.workspace_id IS NOT NULL AND NEW.note IS NOT NULL)
  EXECUTE FUNCTION add_described_words();
