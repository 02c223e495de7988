-- A version that was released everywhere may still be forced in one journey: then its own pins there
-- are released to itself.
ALTER TABLE pin_releases DROP CONSTRAINT pin_releases_check1;
ALTER TABLE pin_releases ADD CONSTRAINT pin_releases_to_another
  CHECK (to_version_id <> version_id OR scope = 'JOURNEY');
COMMENT ON COLUMN pin_releases.released_at IS 'Pins that were taken until then are released; those taken later hold.';
