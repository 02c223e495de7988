-- Segments: people by what they did. A job evaluates them in ClickHouse and keeps their members here,
-- where campaigns and journeys read them.

CREATE TABLE segments (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL CHECK (name <> ''),
  rule jsonb NOT NULL CHECK (jsonb_typeof(rule) = 'object'),
  member_count integer NOT NULL DEFAULT 0,
  evaluated_at timestamptz,
  attempted_at timestamptz,
  fault text,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  archived_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  UNIQUE (id, workspace_id)
);
CREATE INDEX ON segments (workspace_id, created_at, id);
COMMENT ON COLUMN segments.rule IS 'Conditions on events and traits, combined with and, or and not.';
COMMENT ON COLUMN segments.evaluated_at IS 'The time for which the members were evaluated; null before the first evaluation of the rule.';
COMMENT ON COLUMN segments.attempted_at IS 'The last evaluation, whether it succeeded or not.';
COMMENT ON COLUMN segments.fault IS 'The error code of the last evaluation; null if it succeeded.';

CREATE TABLE segment_members (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace_id uuid NOT NULL,
  user_id text NOT NULL CHECK (user_id <> ''),
  segment_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (workspace_id, user_id, segment_id),
  FOREIGN KEY (segment_id, workspace_id) REFERENCES segments (id, workspace_id)
);
CREATE INDEX ON segment_members (segment_id, created_at, id);
COMMENT ON TABLE segment_members IS 'The members of segments. The row of a person who leaves is deleted.';
COMMENT ON COLUMN segment_members.created_at IS 'The time of the evaluation in which the person became a member.';

-- People enter a journey when they become members of its segment.
ALTER TABLE journeys
  ADD COLUMN entry_segment_id uuid,
  ADD COLUMN entry_since timestamptz,
  ADD FOREIGN KEY (entry_segment_id, workspace_id) REFERENCES segments (id, workspace_id);
CREATE INDEX ON journeys (entry_segment_id) WHERE entry_segment_id IS NOT NULL;
COMMENT ON COLUMN journeys.entry_segment_id IS 'The segment whose new members enter.';
COMMENT ON COLUMN journeys.entry_since IS 'When the journey was activated or got its segment. The first evaluation after it only tells who was a member before.';

CREATE TABLE journey_entries (
  journey_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id text NOT NULL CHECK (user_id <> ''),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (journey_id, user_id),
  FOREIGN KEY (journey_id, workspace_id) REFERENCES journeys (id, workspace_id)
);
COMMENT ON TABLE journey_entries IS 'New members of a segment who are about to enter its journeys. Written with the memberships, deleted with the enrolment.';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['segments', 'segment_members', 'journey_entries'] LOOP
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
GRANT INSERT, UPDATE ON segments TO service_app;
