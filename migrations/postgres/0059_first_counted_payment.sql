-- A referee's payment in another currency than that of its referrer's program earns nothing, and so uses up
-- nothing: "first", and the months of a commission, are counted from the first payment in that currency.

ALTER TABLE referee_relations
  ADD COLUMN first_counted_payment_id text,
  ADD COLUMN first_counted_paid_at timestamptz,
  ADD CHECK ((first_counted_payment_id IS NULL) = (first_counted_paid_at IS NULL));
COMMENT ON COLUMN referee_relations.first_payment_id IS 'In whatever currency: since then it is no longer only signed up.';
COMMENT ON COLUMN referee_relations.first_counted_payment_id IS 'The first one in the currency of the referrer''s program: what "first" means where something is earned.';
COMMENT ON COLUMN earnings.release_on IS 'Of a credit: the UTC day whose run, at 02:00, releases it.';

UPDATE referee_relations SET first_counted_payment_id = first_payment_id, first_counted_paid_at = first_paid_at
WHERE first_payment_id IS NOT NULL AND NOT EXISTS (
  SELECT FROM payment_facts WHERE id = first_payment_id AND outcome = 'OTHER_CURRENCY');

-- After a first payment in another currency a commission may have been earned; a credit never was, and the
-- next payment earns it.
UPDATE referee_relations relation
SET first_counted_payment_id = counted.id, first_counted_paid_at = counted.cleared_at
FROM (
  SELECT DISTINCT ON (organization_id) organization_id, id, cleared_at FROM payment_facts
  WHERE outcome IN ('EARNED', 'TOO_SMALL') ORDER BY organization_id, cleared_at, id) counted
WHERE counted.organization_id = relation.referee_organization_id
  AND relation.first_payment_id IS NOT NULL AND relation.first_counted_payment_id IS NULL;

-- What a referee must pay in for its referrer to earn. Of the referrer it says nothing else.
CREATE FUNCTION referral_currency(default_region text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT terms.currency
  FROM referee_relations relation
  LEFT JOIN partner_profiles profile ON profile.organization_id = referrer_organization_id
  LEFT JOIN wallets wallet ON wallet.organization_id = referrer_organization_id
  JOIN program_terms terms ON terms.region = coalesce(wallet.region, profile.region, default_region)
  WHERE referee_organization_id = current_organization_id()
$$;
REVOKE EXECUTE ON FUNCTION referral_currency FROM PUBLIC;
GRANT EXECUTE ON FUNCTION referral_currency TO service_app;
