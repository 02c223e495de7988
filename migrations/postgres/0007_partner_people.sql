-- The partner program's people: KYC and what of it is secret, statements of tax, agencies and their
-- deals.

-- KYC ---------------------------------------------------------------------------------------------

CREATE TABLE kyc_submissions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES affiliate_profiles (organization_id),
  entity_type text NOT NULL,
  full_name text NOT NULL CHECK (full_name <> ''),
  pan_name text CHECK (pan_name <> ''),
  pan_masked text,
  has_gst boolean NOT NULL,
  bank_ifsc text NOT NULL,
  bank_account_holder_name text NOT NULL CHECK (bank_account_holder_name <> ''),
  bank_account_masked text NOT NULL,
  status text NOT NULL DEFAULT 'KYC_PENDING'
    CHECK (status IN ('KYC_PENDING', 'KYC_APPROVED', 'KYC_REJECTED', 'SUPERSEDED')),
  rejection_reason text CHECK (rejection_reason <> ''),
  reviewed_at timestamptz,
  reviewed_by text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (id, organization_id),
  CHECK ((pan_masked IS NULL) = (pan_name IS NULL)),
  CHECK ((reviewed_at IS NULL) = (reviewed_by IS NULL)),
  CHECK (CASE status WHEN 'KYC_PENDING' THEN reviewed_at IS NULL AND rejection_reason IS NULL
                     WHEN 'KYC_APPROVED' THEN reviewed_at IS NOT NULL AND rejection_reason IS NULL
                     WHEN 'KYC_REJECTED' THEN reviewed_at IS NOT NULL AND rejection_reason IS NOT NULL
                     ELSE true END)
);
CREATE UNIQUE INDEX kyc_submissions_current ON kyc_submissions (organization_id) WHERE status <> 'SUPERSEDED';
CREATE INDEX ON kyc_submissions (status, created_at, id);
CREATE INDEX ON kyc_submissions (organization_id, created_at, id);
COMMENT ON TABLE kyc_submissions IS 'Who an affiliate says it is, once per time that it said so; the last one counts.';

CREATE TABLE kyc_secrets (
  submission_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  field text NOT NULL CHECK (field IN ('pan_number', 'gst_number', 'bank_account_number')),
  key_id text NOT NULL,
  sealed text NOT NULL,
  blind_index text,
  PRIMARY KEY (submission_id, field),
  FOREIGN KEY (submission_id, organization_id) REFERENCES kyc_submissions (id, organization_id)
);
CREATE INDEX ON kyc_secrets (blind_index) WHERE blind_index IS NOT NULL;
CREATE INDEX ON kyc_secrets (key_id);
CREATE INDEX ON kyc_secrets (organization_id);
COMMENT ON TABLE kyc_secrets IS 'Sealed with AES-256-GCM under ENCRYPTION_KEYS and bound to their row. Of a superseded submission they are gone.';
COMMENT ON COLUMN kyc_secrets.blind_index IS 'A keyed hash, so that equal ones are found without opening them.';

-- Tax ---------------------------------------------------------------------------------------------

CREATE TABLE tax_forms (
  starts_on date PRIMARY KEY,
  form text NOT NULL CHECK (form <> ''),
  deductor_name text CHECK (deductor_name <> ''),
  deductor_tan text CHECK (deductor_tan ~ '^[A-Z]{4}[0-9]{5}[A-Z]$')
);
COMMENT ON TABLE tax_forms IS 'From which day on which form certifies tax, and who deducts it: the operator''s to fill in.';

-- The Income-tax Act of 2025 numbers them anew.
INSERT INTO tax_forms (starts_on, form) VALUES ('2000-04-01', 'Form 16A'), ('2026-04-01', 'Form 131');

CREATE TABLE tax_certificates (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  financial_year integer NOT NULL CHECK (financial_year BETWEEN 2000 AND 2200),
  quarter integer NOT NULL CHECK (quarter BETWEEN 1 AND 4),
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  form text NOT NULL,
  deductor_name text,
  deductor_tan text,
  deductee_name text NOT NULL,
  pan_masked text,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  gross_minor bigint NOT NULL CHECK (gross_minor > 0),
  tax_minor bigint NOT NULL CHECK (tax_minor > 0),
  net_minor bigint NOT NULL CHECK (net_minor >= 0),
  created_at timestamptz NOT NULL,
  UNIQUE (organization_id, financial_year, quarter),
  UNIQUE (id, organization_id),
  CHECK (gross_minor = tax_minor + net_minor)
);
CREATE INDEX ON tax_certificates (organization_id, created_at, id);
COMMENT ON TABLE tax_certificates IS 'What was deducted from an organisation''s payouts in a quarter of the Indian financial year; all of it is fixed when it is made.';
COMMENT ON COLUMN tax_certificates.financial_year IS 'The year in which it begins: 2026 is 1 April 2026 to 31 March 2027, in India.';

CREATE TABLE tax_certificate_lines (
  payout_id uuid PRIMARY KEY REFERENCES payouts (id),
  certificate_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  paid_on date NOT NULL,
  bank_reference text NOT NULL,
  gross_minor bigint NOT NULL CHECK (gross_minor > 0),
  tax_rate_bps integer NOT NULL,
  tax_minor bigint NOT NULL CHECK (tax_minor > 0),
  net_minor bigint NOT NULL,
  FOREIGN KEY (certificate_id, organization_id) REFERENCES tax_certificates (id, organization_id),
  CHECK (gross_minor = tax_minor + net_minor)
);
CREATE INDEX ON tax_certificate_lines (certificate_id);
COMMENT ON COLUMN tax_certificate_lines.paid_on IS 'The day in India.';

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tax_certificates
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tax_certificate_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Agencies ----------------------------------------------------------------------------------------

CREATE TABLE agency_profiles (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  domain text CHECK (domain <> ''),
  agreement_signed_at timestamptz,
  agreement_reference text CHECK (agreement_reference <> ''),
  appointed_by text NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK (agreement_signed_at IS NOT NULL OR agreement_reference IS NULL)
);
COMMENT ON TABLE agency_profiles IS 'Beside partner_profiles, which says that it is an AGENCY.';
COMMENT ON COLUMN agency_profiles.domain IS 'Its own registrable domain, which is no prospect.';
COMMENT ON COLUMN agency_profiles.agreement_signed_at IS 'Of the reseller agreement, without which no deal is registered.';

CREATE TABLE agency_deals (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES agency_profiles (organization_id),
  prospect_company_name text NOT NULL CHECK (prospect_company_name <> ''),
  prospect_domain text NOT NULL CHECK (prospect_domain <> ''),
  prospect_contact_email text NOT NULL CHECK (prospect_contact_email <> ''),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  estimated_value_minor bigint NOT NULL CHECK (estimated_value_minor > 0),
  actual_value_minor bigint CHECK (actual_value_minor > 0),
  notes text NOT NULL DEFAULT '',
  status text NOT NULL DEFAULT 'REGISTERED'
    CHECK (status IN ('REGISTERED', 'PROOF_SUBMITTED', 'WON', 'LOST', 'EXPIRED', 'WITHDRAWN')),
  status_reason text CHECK (status_reason <> ''),
  is_exclusive boolean NOT NULL DEFAULT true,
  proof_due_at timestamptz NOT NULL,
  locked_until timestamptz NOT NULL,
  closed_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (id, organization_id),
  CHECK ((status = 'WON') = (actual_value_minor IS NOT NULL)),
  CHECK ((status IN ('REGISTERED', 'PROOF_SUBMITTED')) = (closed_at IS NULL)),
  CHECK (CASE WHEN status IN ('REGISTERED', 'PROOF_SUBMITTED') THEN is_exclusive
              WHEN status <> 'WON' THEN NOT is_exclusive ELSE true END),
  CHECK (status <> 'EXPIRED' OR status_reason IN ('PROOF_NOT_SUBMITTED', 'EXCLUSIVITY_ENDED'))
);
CREATE UNIQUE INDEX agency_deals_exclusive ON agency_deals (prospect_domain) WHERE is_exclusive;
CREATE INDEX ON agency_deals (organization_id, created_at, id);
CREATE INDEX ON agency_deals (status, created_at, id);
CREATE INDEX ON agency_deals (locked_until) WHERE is_exclusive;
CREATE INDEX ON agency_deals (proof_due_at) WHERE status = 'REGISTERED';
COMMENT ON TABLE agency_deals IS 'Prospects that agencies registered. Of all agencies, one holds a domain at a time.';
COMMENT ON COLUMN agency_deals.is_exclusive IS 'Holds the domain: while it is open, and once it is won until locked_until. The index knows no time, so what is overdue is released before the next agency registers.';

CREATE TABLE deal_proofs (
  id uuid PRIMARY KEY,
  deal_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  proof_type text NOT NULL CHECK (proof_type IN ('DEMO_SCHEDULED', 'PROPOSAL_SENT', 'CONTRACT_SIGNED')),
  document_url text NOT NULL CHECK (document_url LIKE 'https://%'),
  notes text NOT NULL DEFAULT '',
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (deal_id, organization_id) REFERENCES agency_deals (id, organization_id)
);
CREATE INDEX ON deal_proofs (deal_id, created_at, id);
COMMENT ON TABLE deal_proofs IS 'That an agency is working on a deal; the last one counts. The document is never fetched.';

-- Expires what is overdue, of whatever agency, and says so in the audit log. As the owner, since an
-- agency that registers a domain may not see whose deal it releases. A deal expires at its deadline,
-- whenever this is run.
CREATE FUNCTION expire_overdue_deals(
  at timestamptz, request text, of_domain text DEFAULT NULL, rows_max integer DEFAULT 1000
) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  released integer;
BEGIN
  WITH overdue AS (
    SELECT id, status, CASE WHEN status = 'REGISTERED' AND proof_due_at < at THEN 'PROOF_NOT_SUBMITTED'
                            WHEN status <> 'WON' THEN 'EXCLUSIVITY_ENDED' END AS reason
    FROM agency_deals
    WHERE is_exclusive AND (of_domain IS NULL OR prospect_domain = of_domain)
      AND (locked_until <= at OR status = 'REGISTERED' AND proof_due_at < at)
    ORDER BY id LIMIT rows_max FOR UPDATE
  ), changed AS (
    UPDATE agency_deals deal SET
      is_exclusive = false,
      status = CASE WHEN reason IS NULL THEN deal.status ELSE 'EXPIRED' END,
      status_reason = coalesce(reason, deal.status_reason),
      closed_at = CASE reason WHEN 'PROOF_NOT_SUBMITTED' THEN deal.proof_due_at
                              WHEN 'EXCLUSIVITY_ENDED' THEN deal.locked_until
                              ELSE deal.closed_at END
    FROM overdue WHERE deal.id = overdue.id
    RETURNING deal.id, deal.organization_id, overdue.status AS before, overdue.reason
  ), audited AS (
    INSERT INTO audit_log
      (id, organization_id, actor_id, action, subject_type, subject_id, before, after, request_id, created_at)
    SELECT gen_random_uuid(), organization_id, 'system', 'agency_deal.expire', 'agency_deal', id::text,
           jsonb_build_object('status', before),
           jsonb_build_object('status', 'EXPIRED', 'statusReason', reason), request, at
    FROM changed WHERE reason IS NOT NULL
  )
  SELECT count(*) INTO released FROM changed;
  RETURN released;
END
$$;

-- Who holds a domain, without saying who: only whether it is the one that asks.
CREATE FUNCTION deal_lock(of_domain text) RETURNS TABLE (is_own boolean, locked_until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT organization_id = current_organization_id(), locked_until
  FROM agency_deals WHERE is_exclusive AND prospect_domain = of_domain
$$;

REVOKE EXECUTE ON FUNCTION expire_overdue_deals, deal_lock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION expire_overdue_deals, deal_lock TO service_app, service_system;

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['kyc_submissions', 'kyc_secrets', 'tax_certificates',
      'tax_certificate_lines', 'agency_profiles', 'agency_deals', 'deal_proofs'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (organization_id = current_organization_id())
      WITH CHECK (organization_id = current_organization_id())', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO service_system', name);
  END LOOP;
END
$$;
ALTER TABLE tax_forms ENABLE ROW LEVEL SECURITY;
CREATE POLICY every ON tax_forms TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON tax_forms TO service_system;

-- An organisation says who it is; whether that is so is not its to say, nor what a deal came to.
CREATE POLICY applied ON affiliate_profiles AS RESTRICTIVE FOR INSERT TO service_app
  WITH CHECK (kyc_status = 'KYC_PENDING' AND NOT has_pan_verified AND NOT has_gst);
CREATE POLICY applied_again ON affiliate_profiles AS RESTRICTIVE FOR UPDATE TO service_app
  USING (true) WITH CHECK (kyc_status = 'KYC_PENDING' AND NOT has_pan_verified AND NOT has_gst);
CREATE POLICY submitted ON kyc_submissions AS RESTRICTIVE FOR INSERT TO service_app
  WITH CHECK (status = 'KYC_PENDING');
CREATE POLICY superseded ON kyc_submissions AS RESTRICTIVE FOR UPDATE TO service_app
  USING (true) WITH CHECK (status = 'SUPERSEDED');
CREATE POLICY registered ON agency_deals AS RESTRICTIVE FOR INSERT TO service_app
  WITH CHECK (status = 'REGISTERED');
CREATE POLICY worked_on ON agency_deals AS RESTRICTIVE FOR UPDATE TO service_app
  USING (true) WITH CHECK (status IN ('PROOF_SUBMITTED', 'WITHDRAWN'));

GRANT INSERT, UPDATE (kyc_status, has_pan_verified, has_gst) ON affiliate_profiles TO service_app;
GRANT INSERT, UPDATE (status) ON kyc_submissions TO service_app;
GRANT INSERT, DELETE ON kyc_secrets TO service_app;
GRANT INSERT, UPDATE (status, is_exclusive, closed_at) ON agency_deals TO service_app;
GRANT INSERT ON deal_proofs TO service_app;

GRANT UPDATE (key_id, sealed, blind_index) ON kyc_secrets TO service_system;
GRANT UPDATE ON kyc_submissions, agency_profiles, agency_deals TO service_system;
