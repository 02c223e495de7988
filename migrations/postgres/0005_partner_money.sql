-- The partner program's money: a double-entry ledger, and what its postings are about (credits,
-- redemptions, conversions, payouts). Amounts are whole minor units; a credit is positive, a debit
-- negative. Every ledger transaction is about one organisation's wallet.

-- Terms -------------------------------------------------------------------------------------------

CREATE TABLE program_terms (
  region text PRIMARY KEY CHECK (region ~ '^[A-Z][A-Z_]{0,31}$'),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  currency_symbol text NOT NULL,
  credit_rate_bps integer NOT NULL DEFAULT 1000 CHECK (credit_rate_bps BETWEEN 0 AND 10000),
  hold_days integer NOT NULL CHECK (hold_days BETWEEN 0 AND 3650),
  commission_rate_bps integer NOT NULL DEFAULT 2000 CHECK (commission_rate_bps BETWEEN 0 AND 10000),
  commission_months integer NOT NULL DEFAULT 12 CHECK (commission_months BETWEEN 0 AND 1200),
  commission_age_days integer NOT NULL DEFAULT 30 CHECK (commission_age_days BETWEEN 0 AND 3650),
  payout_minimum_minor bigint NOT NULL DEFAULT 100000 CHECK (payout_minimum_minor > 0),
  dormancy_days integer NOT NULL DEFAULT 180 CHECK (dormancy_days > 0),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE program_terms IS 'The operator''s terms per region of the referrer. What an earning got of them is fixed into it.';
COMMENT ON COLUMN program_terms.commission_months IS 'How long after a referee''s first payment its payments earn a commission.';
COMMENT ON COLUMN program_terms.commission_age_days IS 'How old cash must be to be paid out.';

INSERT INTO program_terms (region, currency, currency_symbol, hold_days)
VALUES ('INDIA', 'INR', '₹', 30), ('GLOBAL', 'USD', '$', 60);

CREATE TABLE partner_profiles (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  partner_status text NOT NULL DEFAULT 'USER' CHECK (partner_status IN ('USER', 'AFFILIATE', 'AGENCY')),
  region text NOT NULL DEFAULT 'INDIA' REFERENCES program_terms (region),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE partner_profiles IS 'What an organisation is in the program; without a row it is a USER of the region INDIA.';

CREATE TABLE affiliate_profiles (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  kyc_status text NOT NULL DEFAULT 'KYC_PENDING'
    CHECK (kyc_status IN ('KYC_PENDING', 'KYC_APPROVED', 'KYC_REJECTED')),
  has_pan_verified boolean NOT NULL DEFAULT false,
  has_gst boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE affiliate_profiles IS 'How far an affiliate''s KYC is, and what of it decides the tax on payouts.';

-- Referrals ---------------------------------------------------------------------------------------

CREATE TABLE referral_codes (
  code text PRIMARY KEY CHECK (code ~ '^[A-Za-z0-9-]{6,16}$'),
  organization_id uuid NOT NULL UNIQUE REFERENCES organizations (id),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE referee_relations (
  referee_organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  referrer_organization_id uuid NOT NULL REFERENCES organizations (id),
  code text NOT NULL REFERENCES referral_codes (code),
  first_payment_id text,
  first_paid_at timestamptz,
  live_payments integer NOT NULL DEFAULT 0 CHECK (live_payments >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (referee_organization_id <> referrer_organization_id),
  CHECK ((first_payment_id IS NULL) = (first_paid_at IS NULL))
);
CREATE INDEX ON referee_relations (referrer_organization_id, created_at, referee_organization_id);
COMMENT ON TABLE referee_relations IS 'Who referred an organisation: the first valid code wins, for ever.';
COMMENT ON COLUMN referee_relations.live_payments IS 'Cleared payments without an open chargeback; above zero, the referral is active.';

-- The ledger --------------------------------------------------------------------------------------

CREATE TABLE wallets (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL UNIQUE REFERENCES organizations (id),
  region text NOT NULL REFERENCES program_terms (region),
  currency text NOT NULL,
  last_activity_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (id, organization_id, currency)
);
COMMENT ON TABLE wallets IS 'Made at an organisation''s first earning; before that it reads as zeros.';
COMMENT ON COLUMN wallets.last_activity_at IS 'The last earning, redemption, conversion or request of a payout.';

CREATE TABLE ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id uuid,
  organization_id uuid,
  kind text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  balance_minor bigint,
  version integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (id, currency),
  UNIQUE (wallet_id, kind),
  FOREIGN KEY (wallet_id, organization_id, currency) REFERENCES wallets (id, organization_id, currency),
  CHECK (kind IN ('PENDING', 'AVAILABLE', 'CASH', 'IN_PAYOUT', 'DEBT',
                  'REWARDS', 'RESERVED', 'INVOICES', 'TAX_PAYABLE', 'BANK')),
  CHECK ((wallet_id IS NULL) = (kind IN ('REWARDS', 'RESERVED', 'INVOICES', 'TAX_PAYABLE', 'BANK'))),
  CHECK (num_nulls(wallet_id, organization_id, balance_minor, version) IN (0, 4)),
  CONSTRAINT no_overdraft CHECK (CASE kind WHEN 'DEBT' THEN balance_minor <= 0 ELSE balance_minor >= 0 END)
);
CREATE UNIQUE INDEX ledger_accounts_platform ON ledger_accounts (kind, currency) WHERE wallet_id IS NULL;
CREATE INDEX ON ledger_accounts (organization_id);
COMMENT ON TABLE ledger_accounts IS 'Five per wallet, with their balance; and per currency those of the platform, whose balance is summed up when asked: a row that every transaction changes would make them queue.';
COMMENT ON COLUMN ledger_accounts.kind IS 'PENDING held credits, AVAILABLE credits, CASH, IN_PAYOUT cash on its way, DEBT (negative) what a clawback found nothing to take from. REWARDS what the program costs, RESERVED credits for invoices that are not known yet, INVOICES credits that paid invoices, TAX_PAYABLE, BANK.';
COMMENT ON COLUMN ledger_accounts.version IS 'How many entries made the balance.';

CREATE TABLE ledger_transactions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  kind text NOT NULL CHECK (kind IN (
    'EARN_CREDIT', 'EARN_COMMISSION', 'RELEASE_CREDITS', 'CLAW_BACK', 'RESTORE',
    'REDEEM', 'RESERVE', 'CAPTURE_RESERVATION', 'RELEASE_RESERVATION', 'CONVERT_CREDITS',
    'REQUEST_PAYOUT', 'PAY_PAYOUT', 'RETURN_PAYOUT', 'REVERSE_PAYOUT')),
  idempotency_key text NOT NULL UNIQUE,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  source_type text NOT NULL CHECK (source_type IN ('earning', 'release', 'redemption', 'conversion', 'payout')),
  source_id text NOT NULL CHECK (source_id <> ''),
  reverses_id uuid,
  created_at timestamptz NOT NULL,
  UNIQUE (id, organization_id),
  FOREIGN KEY (reverses_id, organization_id) REFERENCES ledger_transactions (id, organization_id)
);
CREATE INDEX ON ledger_transactions (organization_id, created_at, id);
CREATE INDEX ON ledger_transactions (source_type, source_id);
COMMENT ON COLUMN ledger_transactions.idempotency_key IS 'Of what it does, so that it is done once: a repeat gets this transaction.';
COMMENT ON COLUMN ledger_transactions.amount_minor IS 'What it is about; how that was split between accounts is in the entries.';
COMMENT ON COLUMN ledger_transactions.reverses_id IS 'The transaction that this one takes back, wholly or in part.';

CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  account_id bigint NOT NULL,
  currency text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  balance_after bigint,
  account_version integer CHECK (account_version > 0),
  UNIQUE (transaction_id, account_id),
  UNIQUE (account_id, account_version),
  FOREIGN KEY (transaction_id, organization_id) REFERENCES ledger_transactions (id, organization_id),
  FOREIGN KEY (account_id, currency) REFERENCES ledger_accounts (id, currency),
  CHECK ((balance_after IS NULL) = (account_version IS NULL))
);
CREATE INDEX ON ledger_entries (organization_id, account_id);
COMMENT ON COLUMN ledger_entries.balance_after IS 'Of a wallet''s account, after this entry; null for the platform''s.';

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- At commit, every transaction is balanced per currency, and every entry of a wallet goes on from the
-- one before it. As the owner, whom row-level security does not blind.
CREATE FUNCTION check_ledger_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  account ledger_accounts;
BEGIN
  IF EXISTS (SELECT FROM ledger_entries WHERE transaction_id = NEW.transaction_id
             GROUP BY currency HAVING sum(amount_minor) <> 0) THEN
    RAISE EXCEPTION 'ledger transaction % is not balanced', NEW.transaction_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
  END IF;
  SELECT * INTO account FROM ledger_accounts WHERE id = NEW.account_id;
  IF (account.wallet_id IS NULL) <> (NEW.balance_after IS NULL)
     OR account.organization_id <> NEW.organization_id THEN
    RAISE EXCEPTION 'ledger entry % does not suit its account', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_suits';
  END IF;
  IF NEW.account_version > 1 AND NEW.balance_after - NEW.amount_minor IS DISTINCT FROM
       (SELECT balance_after FROM ledger_entries
        WHERE account_id = NEW.account_id AND account_version = NEW.account_version - 1)
     OR NEW.account_version = 1 AND NEW.balance_after <> NEW.amount_minor THEN
    RAISE EXCEPTION 'ledger entry % does not follow the one before it', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_chain';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_entry();

CREATE FUNCTION check_ledger_transaction() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger_entries WHERE transaction_id = NEW.id) THEN
    RAISE EXCEPTION 'ledger transaction % has no entries', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER has_entries AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();

-- A balance is never moved without the entry that says so.
CREATE FUNCTION check_ledger_balance() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.version > 0 AND NOT EXISTS (
       SELECT FROM ledger_entries WHERE account_id = NEW.id
         AND account_version = NEW.version AND balance_after = NEW.balance_minor)
     OR NEW.version = 0 AND NEW.balance_minor <> 0
     OR TG_OP = 'UPDATE' AND NEW.version <= OLD.version THEN
    RAISE EXCEPTION 'the balance of ledger account % is not that of its entries', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balance_is_entries';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER balance_is_entries AFTER INSERT OR UPDATE ON ledger_accounts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_balance();

-- The platform's accounts belong to no tenant, so no tenant sees them; their ids are no secret.
CREATE FUNCTION platform_account_id(account_kind text, account_currency text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT id FROM ledger_accounts
  WHERE wallet_id IS NULL AND kind = account_kind AND currency = account_currency
$$;

-- Payments, and what they earn ----------------------------------------------------------------------

CREATE TABLE payment_facts (
  id text PRIMARY KEY CHECK (id <> ''),
  organization_id uuid REFERENCES organizations (id),
  amount_minor bigint CHECK (amount_minor > 0),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  cleared_at timestamptz,
  outcome text CHECK (outcome IN
    ('EARNED', 'NO_REFERRER', 'NOT_FIRST', 'TERM_OVER', 'TOO_SMALL', 'OTHER_CURRENCY')),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nulls(organization_id, amount_minor, currency, cleared_at) IN (0, 4))
);
CREATE INDEX ON payment_facts (organization_id, cleared_at);
COMMENT ON TABLE payment_facts IS 'Payments to the platform, by the gateway''s id. A refund or chargeback that comes first leaves a row with nothing but the id.';
COMMENT ON COLUMN payment_facts.outcome IS 'What became of the referrer''s share.';

CREATE TABLE payment_reversals (
  kind text NOT NULL CHECK (kind IN ('REFUND', 'CHARGEBACK')),
  id text NOT NULL CHECK (id <> ''),
  payment_id text NOT NULL REFERENCES payment_facts (id),
  amount_minor bigint CHECK (amount_minor > 0),
  won_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, id),
  CHECK ((kind = 'REFUND') = (amount_minor IS NOT NULL)),
  CHECK (kind = 'CHARGEBACK' OR won_at IS NULL)
);
CREATE INDEX ON payment_reversals (payment_id);
COMMENT ON TABLE payment_reversals IS 'Refunds and disputes of payments, by the gateway''s id. Whatever their order, what is clawed back follows from the set.';
COMMENT ON COLUMN payment_reversals.won_at IS 'When the merchant won the dispute, after which it counts no more.';

CREATE TABLE earnings (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  referee_organization_id uuid NOT NULL REFERENCES organizations (id),
  payment_id text NOT NULL REFERENCES payment_facts (id),
  kind text NOT NULL CHECK (kind IN ('CREDIT', 'COMMISSION')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  rate_bps integer NOT NULL,
  clawed_minor bigint NOT NULL DEFAULT 0,
  release_on date,
  released_at timestamptz,
  eligible_at timestamptz,
  status text NOT NULL GENERATED ALWAYS AS (
    CASE WHEN released_at IS NULL THEN CASE WHEN clawed_minor = amount_minor THEN 'VOIDED' ELSE 'PENDING' END
         ELSE CASE WHEN clawed_minor = amount_minor THEN 'CLAWED_BACK' ELSE 'AVAILABLE' END END) STORED,
  created_at timestamptz NOT NULL,
  UNIQUE (payment_id, wallet_id),
  FOREIGN KEY (wallet_id, organization_id, currency) REFERENCES wallets (id, organization_id, currency),
  CHECK (clawed_minor BETWEEN 0 AND amount_minor),
  CHECK ((kind = 'CREDIT') = (release_on IS NOT NULL)),
  CHECK ((kind = 'COMMISSION') = (eligible_at IS NOT NULL)),
  CHECK (kind = 'CREDIT' OR released_at IS NOT NULL)
);
CREATE INDEX ON earnings (organization_id, created_at, id);
CREATE INDEX ON earnings (wallet_id, release_on) WHERE status = 'PENDING';
CREATE INDEX ON earnings (release_on, organization_id) WHERE status = 'PENDING';
CREATE INDEX ON earnings (wallet_id, eligible_at) WHERE kind = 'COMMISSION';
COMMENT ON TABLE earnings IS 'What a payment brought its payer''s referrer, by the terms of that moment.';
COMMENT ON COLUMN earnings.clawed_minor IS 'How much of it refunds and chargebacks took back.';
COMMENT ON COLUMN earnings.release_on IS 'Of a credit: the UTC day from which it is available.';
COMMENT ON COLUMN earnings.eligible_at IS 'Of a commission: from when it may be paid out.';

-- What credits and cash go to -----------------------------------------------------------------------

CREATE TABLE invoices (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id text NOT NULL CHECK (id <> ''),
  kind text CHECK (kind IN ('NORMAL', 'PASSTHROUGH')),
  channel text CHECK (channel IN ('SMS', 'MESSAGING_APP', 'RCS', 'EMAIL')),
  total_minor bigint CHECK (total_minor > 0),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  registered_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  CHECK (num_nulls(kind, total_minor, currency, registered_at) IN (0, 4)),
  CHECK ((kind IS NOT DISTINCT FROM 'PASSTHROUGH') = (channel IS NOT NULL))
);
CREATE UNIQUE INDEX invoices_registered ON invoices (id) WHERE registered_at IS NOT NULL;
COMMENT ON TABLE invoices IS 'The platform''s invoices to an organisation, for which credits may be redeemed; without a kind, one that so far only a reservation names.';

CREATE TABLE redemptions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  invoice_id text NOT NULL,
  invoice_total_minor bigint NOT NULL CHECK (invoice_total_minor > 0),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('RESERVED', 'CAPTURED', 'RELEASED')),
  expires_at timestamptz,
  settled_at timestamptz,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (organization_id, invoice_id) REFERENCES invoices (organization_id, id),
  FOREIGN KEY (wallet_id, organization_id, currency) REFERENCES wallets (id, organization_id, currency),
  CHECK (amount_minor <= invoice_total_minor / 2),
  CHECK ((status = 'RESERVED') = (settled_at IS NULL))
);
CREATE INDEX ON redemptions (organization_id, created_at, id);
CREATE INDEX ON redemptions (organization_id, invoice_id);
CREATE INDEX ON redemptions (expires_at, organization_id) WHERE status = 'RESERVED';
COMMENT ON TABLE redemptions IS 'Credits for an invoice. RESERVED until an unknown invoice is registered, then CAPTURED where it matches; else RELEASED, back to the wallet.';

CREATE TABLE conversions (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  eligible_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (wallet_id, organization_id, currency) REFERENCES wallets (id, organization_id, currency)
);
CREATE INDEX ON conversions (organization_id, created_at, id);
CREATE INDEX ON conversions (wallet_id, eligible_at);
COMMENT ON TABLE conversions IS 'Credits that became cash, 1:1; their age starts then.';

CREATE TABLE payouts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  gross_minor bigint NOT NULL CHECK (gross_minor > 0),
  tax_rate_bps integer NOT NULL CHECK (tax_rate_bps BETWEEN 0 AND 10000),
  tax_minor bigint NOT NULL CHECK (tax_minor >= 0),
  net_minor bigint NOT NULL CHECK (net_minor >= 0),
  currency text NOT NULL,
  status text NOT NULL DEFAULT 'REQUESTED'
    CHECK (status IN ('REQUESTED', 'PROCESSING', 'PAID', 'REJECTED', 'FAILED', 'REVERSED')),
  bank_reference text CHECK (bank_reference <> ''),
  reason text CHECK (reason <> ''),
  processing_at timestamptz,
  paid_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (wallet_id, organization_id, currency) REFERENCES wallets (id, organization_id, currency),
  CHECK (gross_minor = tax_minor + net_minor),
  CHECK ((status IN ('PAID', 'REVERSED')) = (paid_at IS NOT NULL)),
  CHECK ((paid_at IS NULL) = (bank_reference IS NULL)),
  CHECK ((status IN ('REJECTED', 'FAILED', 'REVERSED')) = (closed_at IS NOT NULL)),
  CHECK ((closed_at IS NULL) = (reason IS NULL))
);
CREATE INDEX ON payouts (organization_id, created_at, id);
CREATE INDEX ON payouts (status, created_at, id);
COMMENT ON TABLE payouts IS 'Cash asked for; gross, rate, tax and net are fixed at the request.';
COMMENT ON COLUMN payouts.closed_at IS 'When it was rejected, failed or came back.';

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['partner_profiles', 'affiliate_profiles', 'referral_codes', 'wallets',
      'ledger_accounts', 'ledger_transactions', 'ledger_entries', 'payment_facts', 'earnings',
      'invoices', 'redemptions', 'conversions', 'payouts'] LOOP
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (organization_id = current_organization_id())
      WITH CHECK (organization_id = current_organization_id())', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['program_terms', 'partner_profiles', 'affiliate_profiles',
      'referral_codes', 'referee_relations', 'wallets', 'ledger_accounts', 'ledger_transactions',
      'ledger_entries', 'payment_facts', 'payment_reversals', 'earnings', 'invoices', 'redemptions',
      'conversions', 'payouts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO service_system', name);
  END LOOP;
END
$$;
-- For every tenant, and nobody else.
CREATE POLICY own ON program_terms TO service_app USING (EXISTS (SELECT FROM organizations));
CREATE POLICY own ON referee_relations TO service_app
  USING (current_organization_id() IN (referrer_organization_id, referee_organization_id));
CREATE POLICY own ON payment_reversals TO service_app
  USING (payment_id IN (SELECT id FROM payment_facts));
-- What an organisation starts by itself; what it earns, and what becomes of payouts, is not its to say.
CREATE POLICY started ON ledger_transactions AS RESTRICTIVE FOR INSERT TO service_app
  WITH CHECK (kind IN ('REDEEM', 'RESERVE', 'CONVERT_CREDITS', 'REQUEST_PAYOUT'));
CREATE POLICY requested ON payouts AS RESTRICTIVE FOR INSERT TO service_app
  WITH CHECK (status = 'REQUESTED');

GRANT INSERT ON referral_codes, ledger_transactions, ledger_entries, redemptions, conversions, payouts TO service_app;
GRANT INSERT (organization_id, id, created_at) ON invoices TO service_app;
GRANT UPDATE (balance_minor, version) ON ledger_accounts TO service_app, service_system;
GRANT UPDATE (last_activity_at) ON wallets TO service_app, service_system;
-- Neither role may change or remove what was posted.
GRANT UPDATE ON program_terms, partner_profiles, affiliate_profiles, referee_relations, payment_facts,
  payment_reversals, earnings, invoices, redemptions, payouts TO service_system;
