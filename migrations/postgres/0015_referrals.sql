-- How an organisation says who referred it, and referrals as clients see them.

ALTER TABLE referee_relations ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX referee_relations_id ON referee_relations (id);
CREATE INDEX ON referee_relations (referrer_organization_id, created_at, id);
COMMENT ON COLUMN referee_relations.id IS 'What the referrer knows a referral by: whom it referred is not its to see.';

-- Whom a code belongs to is nobody else's business, so only this looks. The first valid code wins; what
-- comes later changes nothing. Answers with what happened, or why nothing did.
CREATE FUNCTION attribute_referral(relation_id uuid, of_code text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  referee uuid := current_organization_id();
  referrer uuid;
BEGIN
  IF EXISTS (SELECT FROM referee_relations WHERE referee_organization_id = referee) THEN
    RETURN 'REPEAT';
  END IF;
  SELECT organization_id INTO referrer FROM referral_codes WHERE code = of_code;
  IF referrer IS NULL THEN
    RETURN 'REFERRAL_CODE_UNKNOWN';
  END IF;
  IF referrer = referee THEN
    RETURN 'SELF_REFERRAL';
  END IF;
  -- Two that name each other at once: the second sees the first. Rows that only point at an
  -- organisation don't wait for this.
  PERFORM FROM organizations WHERE id IN (referee, referrer) ORDER BY id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM referee_relations
             WHERE referee_organization_id = referrer AND referrer_organization_id = referee) THEN
    RETURN 'SELF_REFERRAL';
  END IF;
  IF EXISTS (SELECT FROM payment_facts
             WHERE organization_id = referee AND cleared_at IS NOT NULL) THEN
    RETURN 'ATTRIBUTION_CLOSED';
  END IF;
  INSERT INTO referee_relations (id, referee_organization_id, referrer_organization_id, code, created_at)
  VALUES (relation_id, referee, referrer, of_code, at)
  ON CONFLICT (referee_organization_id) DO NOTHING;
  RETURN CASE WHEN FOUND THEN 'ATTRIBUTED' ELSE 'REPEAT' END;
END
$$;
REVOKE EXECUTE ON FUNCTION attribute_referral FROM PUBLIC;
GRANT EXECUTE ON FUNCTION attribute_referral TO service_app;
