-- Journeys: what people go through, which version of each template each of them is pinned to, and
-- what moves somebody off a pin.

CREATE TABLE journeys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL CHECK (name <> ''),
  status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'ACTIVE', 'PAUSED', 'ARCHIVED')),
  definition_number integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  UNIQUE (id, workspace_id)
);
CREATE INDEX ON journeys (workspace_id, created_at, id);
CREATE INDEX ON journeys (status) WHERE status IN ('ACTIVE', 'ARCHIVED');
COMMENT ON COLUMN journeys.definition_number IS 'The definition that those who enter now go through.';

CREATE TABLE journey_definitions (
  id uuid PRIMARY KEY,
  journey_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  nodes jsonb NOT NULL CHECK (jsonb_typeof(nodes) = 'array' AND jsonb_array_length(nodes) > 0),
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (journey_id, number),
  UNIQUE (id, journey_id, workspace_id),
  FOREIGN KEY (journey_id, workspace_id) REFERENCES journeys (id, workspace_id)
);
COMMENT ON TABLE journey_definitions IS 'The nodes of a journey. An edit is a new row; those who are on their way finish on the one they entered on.';

CREATE TABLE journey_snapshots (
  id uuid PRIMARY KEY,
  journey_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  definition_id uuid NOT NULL,
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (id, journey_id, workspace_id),
  UNIQUE (id, workspace_id),
  FOREIGN KEY (definition_id, journey_id, workspace_id)
    REFERENCES journey_definitions (id, journey_id, workspace_id)
);
CREATE INDEX ON journey_snapshots (journey_id);
COMMENT ON TABLE journey_snapshots IS 'A definition and the version of each of its send nodes. Equal ones are one row, which all who entered with them hold.';
COMMENT ON COLUMN journey_snapshots.hash IS 'Of the definition and the pins.';

CREATE TABLE journey_snapshot_pins (
  snapshot_id uuid NOT NULL,
  node_id text NOT NULL,
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  PRIMARY KEY (snapshot_id, node_id),
  FOREIGN KEY (snapshot_id, workspace_id) REFERENCES journey_snapshots (id, workspace_id),
  FOREIGN KEY (version_id, workspace_id) REFERENCES template_versions (id, workspace_id) ON DELETE RESTRICT
);
CREATE INDEX ON journey_snapshot_pins (version_id);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['journey_definitions', 'journey_snapshots', 'journey_snapshot_pins'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
  END LOOP;
END
$$;

CREATE TABLE enrolments (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  journey_id uuid NOT NULL,
  snapshot_id uuid NOT NULL,
  contact_id uuid NOT NULL REFERENCES contacts (id),
  state text NOT NULL DEFAULT 'READY' CHECK (state IN ('READY', 'WAITING', 'COMPLETED', 'EXITED')),
  node_id text NOT NULL,
  next_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  FOREIGN KEY (snapshot_id, journey_id, workspace_id)
    REFERENCES journey_snapshots (id, journey_id, workspace_id),
  CHECK ((state IN ('COMPLETED', 'EXITED')) = (ended_at IS NOT NULL)),
  CHECK (ended_at IS NULL OR next_at IS NULL),
  CHECK (state <> 'READY' OR next_at IS NOT NULL)
);
CREATE UNIQUE INDEX enrolments_in_flight ON enrolments (journey_id, contact_id) WHERE ended_at IS NULL;
CREATE INDEX enrolments_due ON enrolments (journey_id, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX enrolments_pinned ON enrolments (snapshot_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX ON enrolments (journey_id, created_at, id);
CREATE INDEX ON enrolments (contact_id, created_at, id);
COMMENT ON TABLE enrolments IS 'A person on the way through a journey: once at a time. There may be millions.';
COMMENT ON COLUMN enrolments.state IS 'READY at a node whose work is still to be done, WAITING at one whose work is done.';
COMMENT ON COLUMN enrolments.next_at IS 'When to look at it again; null while only a signal lets it go on, and at the end.';

-- How many are in flight per snapshot: the sum of what each statement added or took away. Only added
-- to, so that nobody waits for a counter; a job adds the rows up into one.
CREATE TABLE enrolment_counts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  snapshot_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  in_flight integer NOT NULL
);
CREATE INDEX ON enrolment_counts (snapshot_id) INCLUDE (in_flight);

CREATE FUNCTION count_entered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO enrolment_counts (snapshot_id, workspace_id, in_flight)
  SELECT snapshot_id, workspace_id, count(*) FROM added WHERE ended_at IS NULL GROUP BY 1, 2;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO enrolment_counts (snapshot_id, workspace_id, in_flight)
  SELECT gone.snapshot_id, gone.workspace_id, -count(*)
  FROM gone JOIN stayed USING (id)
  WHERE gone.ended_at IS NULL AND stayed.ended_at IS NOT NULL
  GROUP BY 1, 2;
  RETURN NULL;
END
$$;
CREATE TRIGGER entered AFTER INSERT ON enrolments REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_entered();
CREATE TRIGGER moved AFTER UPDATE ON enrolments REFERENCING OLD TABLE AS gone NEW TABLE AS stayed
  FOR EACH STATEMENT EXECUTE FUNCTION count_left();
CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON enrolments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE pin_releases (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  scope text NOT NULL CHECK (scope IN ('ALL', 'JOURNEY')),
  journey_id uuid,
  to_version_id uuid,
  cause text NOT NULL CHECK (cause IN ('FORCE_ROLLOUT', 'OPERATOR')),
  released_by text NOT NULL,
  released_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (version_id, journey_id),
  FOREIGN KEY (version_id, workspace_id) REFERENCES template_versions (id, workspace_id) ON DELETE RESTRICT,
  FOREIGN KEY (to_version_id, workspace_id) REFERENCES template_versions (id, workspace_id) ON DELETE RESTRICT,
  FOREIGN KEY (journey_id, workspace_id) REFERENCES journeys (id, workspace_id),
  CHECK ((scope = 'JOURNEY') = (journey_id IS NOT NULL)),
  CHECK (to_version_id <> version_id)
);
COMMENT ON TABLE pin_releases IS 'Pins that no longer hold: compared at each send, so that a forced rollout is a row, however many are pinned.';
COMMENT ON COLUMN pin_releases.to_version_id IS 'The version that is forced instead; null leaves it to the Active one.';

CREATE TABLE enrolment_overrides (
  enrolment_id uuid NOT NULL REFERENCES enrolments (id),
  node_id text NOT NULL,
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('HOLD', 'PIN', 'MIGRATED')),
  reason text NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (enrolment_id, node_id),
  FOREIGN KEY (version_id, workspace_id) REFERENCES template_versions (id, workspace_id) ON DELETE RESTRICT
);
CREATE INDEX ON enrolment_overrides (version_id);
COMMENT ON TABLE enrolment_overrides IS 'What one person gets at one node, whatever else holds: HOLD what they are on, PIN what an operator chose, MIGRATED from a version that their data no longer fills.';

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['journeys', 'journey_definitions', 'journey_snapshots',
      'journey_snapshot_pins', 'enrolments', 'enrolment_counts', 'pin_releases',
      'enrolment_overrides'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO service_app, service_system', name);
  END LOOP;
END
$$;
GRANT UPDATE ON journeys TO service_app, service_system;
-- Not the snapshot: a person's pins never change.
GRANT UPDATE (state, node_id, next_at, ended_at) ON enrolments TO service_app, service_system;
GRANT UPDATE, DELETE ON pin_releases, enrolment_overrides TO service_app, service_system;
GRANT DELETE ON enrolment_counts TO service_system;
