-- From which version a draft began: what was not said came from there. With it, the versions of a
-- channel and language are a tree to look at, and the first thing to compare a version with is known.

ALTER TABLE template_versions ADD COLUMN based_on_id uuid REFERENCES template_versions (id);
COMMENT ON COLUMN template_versions.based_on_id IS
  'The version whose content it began with; null for the first, and for those made before this was kept.';

CREATE FUNCTION keep_version_ancestry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'where a version began stays'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'template_version_ancestry_stays';
END
$$;
CREATE TRIGGER ancestry_stays BEFORE UPDATE OF based_on_id ON template_versions
  FOR EACH ROW WHEN (NEW.based_on_id IS DISTINCT FROM OLD.based_on_id)
  EXECUTE FUNCTION keep_version_ancestry();
