-- What we made at the payment gateway: a row is there, in CREATING, before the gateway is asked, so
-- that no call whose answer was lost is forgotten, or made a second time.

CREATE TABLE gateway_links (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  payer_organization_id uuid REFERENCES organizations (id),
  link_id text NOT NULL CHECK (char_length(link_id) BETWEEN 1 AND 50),
  cf_id text,
  status text NOT NULL DEFAULT 'CREATING',
  status_at timestamptz,
  purpose text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount_paid_minor bigint NOT NULL DEFAULT 0 CHECK (amount_paid_minor >= 0),
  refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
  minimum_partial_minor bigint,
  is_partial_allowed boolean NOT NULL DEFAULT false,
  link_url text,
  expires_at timestamptz,
  notes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(notes) = 'array'),
  request_hash text,
  idempotency_key text,
  error_code text,
  error_message text,
  checked_at timestamptz,
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway_orders (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  payer_organization_id uuid REFERENCES organizations (id),
  order_id text NOT NULL CHECK (char_length(order_id) BETWEEN 1 AND 250),
  cf_id text,
  status text NOT NULL DEFAULT 'CREATING',
  status_at timestamptz,
  note text,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount_paid_minor bigint NOT NULL DEFAULT 0 CHECK (amount_paid_minor >= 0),
  refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
  payment_session_id text,
  expires_at timestamptz,
  splits jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(splits) = 'array'),
  tags jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tags) = 'array'),
  request_hash text,
  idempotency_key text,
  error_code text,
  error_message text,
  checked_at timestamptz,
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway_plans (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  plan_id text NOT NULL CHECK (char_length(plan_id) BETWEEN 1 AND 40),
  cf_id text,
  status text NOT NULL DEFAULT 'CREATING',
  status_at timestamptz,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('PERIODIC', 'ON_DEMAND')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  max_amount_minor bigint NOT NULL CHECK (max_amount_minor > 0),
  recurring_amount_minor bigint,
  interval_type text,
  intervals integer,
  max_cycles integer,
  note text,
  request_hash text,
  idempotency_key text,
  error_code text,
  error_message text,
  checked_at timestamptz,
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway_subscriptions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  payer_organization_id uuid REFERENCES organizations (id),
  subscription_id text NOT NULL CHECK (char_length(subscription_id) BETWEEN 1 AND 250),
  plan_id text NOT NULL,
  cf_id text,
  status text NOT NULL DEFAULT 'CREATING',
  status_at timestamptz,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  authorization_amount_minor bigint,
  authorization_status text,
  payment_methods text[] NOT NULL DEFAULT '{}',
  payment_method text,
  mandate_authorization_url text,
  session_id text,
  first_charge_at timestamptz,
  next_charge_at timestamptz,
  expires_at timestamptz,
  tags jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tags) = 'array'),
  request_hash text,
  idempotency_key text,
  error_code text,
  error_message text,
  checked_at timestamptz,
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway_vendors (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  vendor_id text NOT NULL CHECK (char_length(vendor_id) BETWEEN 1 AND 50),
  cf_id text,
  status text NOT NULL DEFAULT 'CREATING',
  status_at timestamptz,
  name text NOT NULL,
  business_type text NOT NULL,
  account_type text NOT NULL CHECK (account_type IN ('BUSINESS', 'INDIVIDUAL')),
  receives_by text NOT NULL CHECK (receives_by IN ('UPI', 'BANK')),
  receiver_mask text NOT NULL,
  request_hash text,
  idempotency_key text,
  error_code text,
  error_message text,
  checked_at timestamptz,
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway_refunds (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  workspace_id uuid REFERENCES workspaces (id),
  payer_organization_id uuid REFERENCES organizations (id),
  refund_id text NOT NULL CHECK (char_length(refund_id) BETWEEN 1 AND 250),
  cf_id text,
  status text NOT NULL DEFAULT 'CREATING',
  status_at timestamptz,
  cf_payment_id text,
  order_id text,
  subscription_id text,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  speed text,
  processed_speed text,
  note text,
  arn text,
  request_hash text,
  idempotency_key text,
  error_code text,
  error_message text,
  checked_at timestamptz,
  created_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON gateway_refunds (account_id, cf_payment_id);

COMMENT ON COLUMN gateway_vendors.receiver_mask IS 'The end of the account number or UPI address; the whole of it is the gateway''s to keep.';
COMMENT ON COLUMN gateway_subscriptions.payment_method IS 'By which the mandate was given, once known; payment_methods are those that were offered.';
COMMENT ON COLUMN gateway_refunds.request_hash IS 'Null where the refund was not asked for here, but in the gateway''s dashboard or by itself.';

DO $$
DECLARE
  name text;
  own_id text;
BEGIN
  FOR name, own_id IN VALUES
    ('gateway_links', 'link_id'), ('gateway_orders', 'order_id'), ('gateway_plans', 'plan_id'),
    ('gateway_subscriptions', 'subscription_id'), ('gateway_vendors', 'vendor_id'),
    ('gateway_refunds', 'refund_id')
  LOOP
    EXECUTE format('ALTER TABLE %I ADD UNIQUE (account_id, %I)', name, own_id);
    -- One of the viewer's keys makes one thing, for ever.
    EXECUTE format(
      'CREATE UNIQUE INDEX ON %I ((coalesce(workspace_id, ''00000000-0000-0000-0000-000000000000''::uuid)), idempotency_key)',
      name);
    EXECUTE format('CREATE INDEX ON %I (workspace_id, created_at, id)', name);
    EXECUTE format('CREATE INDEX ON %I (status, checked_at)', name);
    EXECUTE format('COMMENT ON COLUMN %I.account_id IS %L', name,
      'Whose merchant account it is in: the nil UUID for the platform''s, else the workspace''s id.');
    EXECUTE format('COMMENT ON COLUMN %I.status IS %L', name,
      'CREATING until the gateway''s answer is known, REFUSED where it said no; else its own word.');
    EXECUTE format('COMMENT ON COLUMN %I.status_at IS %L', name,
      'The time of the last event that was applied.');
    EXECUTE format('COMMENT ON COLUMN %I.checked_at IS %L', name,
      'When the gateway was last asked about it.');
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY own ON %I TO service_app
         USING (workspace_id IN (SELECT id FROM workspaces))
         WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format(
      'CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO service_system', name);
  END LOOP;
  -- The platform's own billing is in the platform's own account, and for nobody's workspace.
  FOREACH name IN ARRAY ARRAY['gateway_links', 'gateway_orders', 'gateway_subscriptions', 'gateway_refunds']
  LOOP
    EXECUTE format(
      'ALTER TABLE %I ADD CONSTRAINT platform_billing CHECK (payer_organization_id IS NULL
         OR (workspace_id IS NULL AND account_id = ''00000000-0000-0000-0000-000000000000''))', name);
    EXECUTE format('COMMENT ON COLUMN %I.payer_organization_id IS %L', name,
      'Set for the platform''s own billing only: these payments earn partner rewards.');
  END LOOP;
END $$;
