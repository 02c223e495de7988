-- Who the people are and what they are shown: contacts and their consents, in-app campaigns,
-- widgets that journeys queue, what people did with both, their devices; and what the control
-- plane has to act on afterwards.

-- How often anybody in a workspace is shown anything in-app; null is unlimited.
ALTER TABLE workspaces
  ADD COLUMN in_app_daily_max integer CHECK (in_app_daily_max > 0),
  ADD COLUMN in_app_interval_seconds_min integer CHECK (in_app_interval_seconds_min > 0);
COMMENT ON COLUMN workspaces.in_app_daily_max IS 'Over all campaigns and widgets, in any 24 hours, to one person.';
COMMENT ON COLUMN workspaces.in_app_interval_seconds_min IS 'Between two impressions to one person, of whatever campaign or widget.';

CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  user_id text NOT NULL CHECK (user_id <> ''),
  anonymous_id text,
  traits jsonb NOT NULL DEFAULT '{}'
    CHECK (jsonb_typeof(traits) = 'object' AND octet_length(traits::text) <= 1048576),
  traits_at timestamptz NOT NULL DEFAULT '-infinity',
  suppressed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, user_id)
);
COMMENT ON TABLE contacts IS 'A person by the application''s user id; made by identify or by an operator.';
COMMENT ON COLUMN contacts.traits IS 'At most 1 MiB: write keys are public, and a person that only grows would hold up everybody else.';
COMMENT ON COLUMN contacts.traits_at IS 'When the traits were last said, by the sender''s corrected clock: an older identify that arrives late adds what is missing and changes nothing.';
COMMENT ON COLUMN contacts.suppressed_at IS 'Since when the person gets nothing promotional, whatever they consented to.';

CREATE TABLE consents (
  contact_id uuid NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose ~ '^[a-z][a-z0-9_]{0,63}$'),
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  status text NOT NULL CHECK (status IN ('GRANTED', 'DENIED')),
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  source text NOT NULL DEFAULT '',
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (contact_id, purpose)
);
CREATE INDEX ON consents (workspace_id);
COMMENT ON COLUMN consents.version IS 'Goes up with each change.';

CREATE TABLE campaigns (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL CHECK (name <> ''),
  type text NOT NULL,
  status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'LIVE', 'PAUSED', 'ARCHIVED')),
  surfaces text[] NOT NULL DEFAULT '{}',
  content jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(content) = 'object'),
  priority integer NOT NULL DEFAULT 0,
  starts_at timestamptz,
  ends_at timestamptz,
  audience jsonb,
  consent_purpose text NOT NULL DEFAULT 'marketing' CHECK (consent_purpose ~ '^[a-z][a-z0-9_]{0,63}$'),
  ends_on text[] NOT NULL DEFAULT '{clicked,dismissed}' CHECK (ends_on <@ '{clicked,dismissed}'),
  total_max integer CHECK (total_max > 0),
  window_max integer CHECK (window_max > 0),
  window_seconds integer CHECK (window_seconds BETWEEN 60 AND 2678400),
  interval_seconds_min integer CHECK (interval_seconds_min BETWEEN 1 AND 2678400),
  is_cap_exempt boolean NOT NULL DEFAULT false,
  variants jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(variants) = 'array'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CHECK (ends_at > starts_at),
  CHECK ((window_max IS NULL) = (window_seconds IS NULL))
);
CREATE INDEX ON campaigns (workspace_id, created_at, id);
CREATE INDEX ON campaigns (changed_in);
COMMENT ON COLUMN campaigns.surfaces IS 'Where it may be shown; empty means everywhere.';
COMMENT ON COLUMN campaigns.audience IS 'And/or of comparisons on traits; null is everybody.';
COMMENT ON COLUMN campaigns.ends_on IS 'What ends the campaign for a person.';
COMMENT ON COLUMN campaigns.is_cap_exempt IS 'Shown whatever the workspace''s caps say; it still counts towards them.';
COMMENT ON COLUMN campaigns.variants IS '[{"id", "weight", "content"}]; empty means that the campaign''s own content is all there is.';
COMMENT ON COLUMN campaigns.changed_in IS 'The transaction that wrote the row: readers ask for all that a snapshot had not seen.';

CREATE FUNCTION note_campaign_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  NEW.updated_at := now();
  RETURN NEW;
END
$$;
CREATE TRIGGER campaign_change BEFORE INSERT OR UPDATE ON campaigns
  FOR EACH ROW EXECUTE FUNCTION note_campaign_change();

CREATE TABLE widget_step_executions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  user_id text NOT NULL CHECK (user_id <> ''),
  enrolment_id uuid,
  node_id text NOT NULL DEFAULT '',
  campaign_id uuid NOT NULL,
  name text NOT NULL DEFAULT '',
  type text NOT NULL,
  surfaces text[] NOT NULL DEFAULT '{}',
  content jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(content) = 'object'),
  priority integer NOT NULL DEFAULT 0,
  variant_id text,
  consent_purpose text NOT NULL DEFAULT 'marketing',
  is_cap_exempt boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  state text NOT NULL DEFAULT 'QUEUED'
    CHECK (state IN ('QUEUED', 'SERVED', 'VIEWED', 'CLICKED', 'DISMISSED')),
  acked_step_id text,
  acked_variant_id text,
  queued_at timestamptz NOT NULL DEFAULT now(),
  served_at timestamptz,
  viewed_at timestamptz,
  clicked_at timestamptz,
  dismissed_at timestamptz
);
CREATE INDEX ON widget_step_executions (workspace_id, user_id)
  WHERE state IN ('QUEUED', 'SERVED', 'VIEWED');
COMMENT ON TABLE widget_step_executions IS 'A widget that a journey queued for one person: the campaign as it was then, and how far it came.';

CREATE TABLE journey_signals (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  step_execution_id uuid NOT NULL UNIQUE REFERENCES widget_step_executions (id),
  enrolment_id uuid,
  outcome text NOT NULL CHECK (outcome IN ('CLICKED', 'DISMISSED')),
  variant_id text,
  occurred_at timestamptz NOT NULL,
  consumed_at timestamptz
);
CREATE INDEX ON journey_signals (occurred_at) WHERE consumed_at IS NULL;
COMMENT ON TABLE journey_signals IS 'That a journey may go on behind a widget node: one per widget, written with the acknowledgement.';

CREATE TABLE exposures (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  user_id text NOT NULL,
  campaign_id text NOT NULL,
  event_type text NOT NULL CHECK (event_type IN ('impression', 'clicked', 'dismissed')),
  occurred_at timestamptz NOT NULL
);
CREATE INDEX ON exposures (workspace_id, user_id, campaign_id, event_type, occurred_at);
COMMENT ON TABLE exposures IS 'What a person was shown in-app, and what they did with it: what caps count and what ends a campaign for them.';
COMMENT ON COLUMN exposures.id IS 'Derived from what the SDK sent, so that a repeat is the same row.';

CREATE TABLE devices (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  property_id uuid REFERENCES properties (id),
  token text NOT NULL,
  platform text NOT NULL CHECK (platform IN ('ios', 'android')),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'INACTIVE')),
  epoch integer NOT NULL DEFAULT 1,
  contact_id text,
  anonymous_id text,
  app_version text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  epoch_started_at timestamptz NOT NULL DEFAULT now(),
  registered_at timestamptz NOT NULL DEFAULT now(),
  deactivated_at timestamptz,
  deactivation_reason text,
  UNIQUE NULLS NOT DISTINCT (workspace_id, token, property_id)
);
CREATE INDEX ON devices (workspace_id, contact_id) WHERE contact_id IS NOT NULL;
COMMENT ON TABLE devices IS 'One row per workspace, property (or none) and token, for ever.';
COMMENT ON COLUMN devices.epoch IS 'Goes up when a token comes back after its quarantine is over: another life, without the earlier one''s history.';

CREATE TABLE outbound_events (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  type text NOT NULL,
  payload jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON outbound_events (workspace_id, created_at);
COMMENT ON TABLE outbound_events IS 'What a workspace''s webhook endpoints are to be told.';
COMMENT ON COLUMN outbound_events.id IS 'Derived from what it tells, so that it is told once.';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['contacts', 'consents', 'campaigns', 'widget_step_executions',
      'journey_signals', 'exposures', 'devices', 'outbound_events'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT ON %I TO service_app', name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO service_system', name);
  END LOOP;
END
$$;
GRANT INSERT, UPDATE ON contacts, consents, campaigns TO service_app;
GRANT DELETE ON consents TO service_app;
