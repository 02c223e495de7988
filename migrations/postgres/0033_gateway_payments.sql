-- What the payment gateway tells us of payments, disputes and settlements, and what came of it. What
-- we make there ourselves (links, orders …) has tables of its own.

CREATE TABLE gateway_payments (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  payer_organization_id uuid REFERENCES organizations (id),
  cf_payment_id text NOT NULL CHECK (cf_payment_id <> ''),
  kind text NOT NULL CHECK (kind IN ('ONE_TIME', 'MANDATE_AUTHORIZATION', 'RENEWAL')),
  status text NOT NULL,
  status_at timestamptz,
  retry_attempts integer NOT NULL DEFAULT 0,
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  order_id text,
  link_id text,
  subscription_id text,
  method text,
  failure text,
  paid_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, cf_payment_id)
);
CREATE INDEX ON gateway_payments (workspace_id, created_at, id);
CREATE INDEX ON gateway_payments (account_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX ON gateway_payments (account_id, link_id) WHERE link_id IS NOT NULL;
CREATE INDEX ON gateway_payments (account_id, subscription_id) WHERE subscription_id IS NOT NULL;
COMMENT ON TABLE gateway_payments IS 'Every attempt to pay that we know of, by the gateway''s id.';
COMMENT ON COLUMN gateway_payments.kind IS 'MANDATE_AUTHORIZATION is the small debit that proves a mandate: neither a renewal nor income.';
COMMENT ON COLUMN gateway_payments.status_at IS 'When the gateway said so.';
COMMENT ON COLUMN gateway_payments.retry_attempts IS 'Of a renewal: how often the gateway has tried again; each of them may fail.';

CREATE TABLE gateway_disputes (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  payer_organization_id uuid REFERENCES organizations (id),
  dispute_id text NOT NULL CHECK (dispute_id <> ''),
  type text NOT NULL,
  status text NOT NULL,
  status_at timestamptz,
  cf_payment_id text,
  order_id text,
  amount_minor bigint CHECK (amount_minor >= 0),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  reason_code text,
  reason text,
  respond_by timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, dispute_id)
);
CREATE INDEX ON gateway_disputes (workspace_id, created_at, id);
CREATE INDEX ON gateway_disputes (account_id, cf_payment_id) WHERE cf_payment_id IS NOT NULL;
COMMENT ON TABLE gateway_disputes IS 'Payments that a payer''s bank asks back. From CHARGEBACK on the money is gone unless the merchant wins.';

CREATE TABLE gateway_settlements (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  settlement_id text NOT NULL CHECK (settlement_id <> ''),
  vendor_id text NOT NULL DEFAULT '',
  status text NOT NULL,
  status_at timestamptz,
  amount_minor bigint,
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  bank_reference text,
  settled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (account_id, vendor_id, settlement_id)
);
CREATE INDEX ON gateway_settlements (workspace_id, created_at, id);
COMMENT ON TABLE gateway_settlements IS 'What the gateway pays out to the merchant, or to a vendor of theirs.';
COMMENT ON COLUMN gateway_settlements.vendor_id IS 'Empty where the merchant is paid.';

CREATE TABLE gateway_effects (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  event_id uuid,
  name text NOT NULL,
  object_kind text NOT NULL,
  object_id text NOT NULL,
  is_late boolean NOT NULL DEFAULT false,
  outcome text,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX ON gateway_effects (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX ON gateway_effects (workspace_id, created_at, id);
COMMENT ON TABLE gateway_effects IS 'What happened, each thing once however often and by whichever way the gateway tells it.';
COMMENT ON COLUMN gateway_effects.id IS 'Derived from what happened to what.';
COMMENT ON COLUMN gateway_effects.event_id IS 'The event that told it first; null where we asked.';
COMMENT ON COLUMN gateway_effects.is_late IS 'We knew of something further already, so that nobody was told.';
COMMENT ON COLUMN gateway_effects.outcome IS 'Of a payment to the platform: what became of the referrer''s share.';

CREATE TABLE gateway_link_orders (
  account_id uuid NOT NULL,
  order_id text NOT NULL,
  link_id text NOT NULL,
  PRIMARY KEY (account_id, order_id)
);
COMMENT ON TABLE gateway_link_orders IS 'Which order the gateway made for which of our links: events of a payment name the order only.';

CREATE TABLE gateway_awaited (
  event_id uuid NOT NULL REFERENCES gateway_events (id) ON DELETE CASCADE,
  account_id uuid NOT NULL,
  object text NOT NULL,
  PRIMARY KEY (account_id, object, event_id)
);
CREATE INDEX ON gateway_awaited (event_id);
COMMENT ON TABLE gateway_awaited IS 'Events about what we don''t know (yet), each with all names by which it could be known.';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['gateway_payments', 'gateway_disputes', 'gateway_settlements',
      'gateway_effects'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO service_system', name);
  END LOOP;
  -- Of no tenant: nobody but the system looks at them.
  FOREACH name IN ARRAY ARRAY['gateway_link_orders', 'gateway_awaited'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO service_system', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['gateway_payments', 'gateway_disputes'] LOOP
    EXECUTE format(
      'ALTER TABLE %I ADD CONSTRAINT platform_billing CHECK (payer_organization_id IS NULL
         OR (workspace_id IS NULL AND account_id = ''00000000-0000-0000-0000-000000000000''))', name);
    EXECUTE format('COMMENT ON COLUMN %I.account_id IS %L', name,
      'Whose merchant account it is in: the nil UUID for the platform''s, else the workspace''s id.');
    EXECUTE format('COMMENT ON COLUMN %I.payer_organization_id IS %L', name,
      'Set for the platform''s own billing only: these payments earn partner rewards.');
  END LOOP;
END $$;

-- The reconciler looks for what has waited long.
CREATE INDEX ON gateway_events (next_attempt_at) WHERE state = 'IGNORED' AND next_attempt_at IS NOT NULL;
