-- Templates: versions of what channels send, each with its own approval, and the platform's catalog.

CREATE TABLE catalog_entries (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  description text NOT NULL DEFAULT '',
  versions jsonb NOT NULL CHECK (jsonb_typeof(versions) = 'array' AND jsonb_array_length(versions) > 0),
  source jsonb NOT NULL CHECK (jsonb_typeof(source) = 'object'),
  is_published boolean NOT NULL DEFAULT true,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON catalog_entries (created_at, id);
COMMENT ON TABLE catalog_entries IS 'Ready-made templates of the platform, for every tenant.';
COMMENT ON COLUMN catalog_entries.versions IS 'The content of a draft per channel and language.';
COMMENT ON COLUMN catalog_entries.source IS 'Where it came from, as it was there; for platform admins only.';

CREATE TABLE templates (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL CHECK (name <> ''),
  description text NOT NULL DEFAULT '',
  catalog_entry_id uuid REFERENCES catalog_entries (id),
  archived_at timestamptz,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version integer NOT NULL DEFAULT 1,
  UNIQUE (id, workspace_id)
);
CREATE INDEX ON templates (workspace_id, created_at, id);
COMMENT ON TABLE templates IS 'Its row is the lock of all that happens to its versions: FOR UPDATE to change their states, FOR SHARE to snapshot them.';

CREATE TABLE template_versions (
  id uuid PRIMARY KEY,
  template_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('messaging_app', 'sms', 'email')),
  language text NOT NULL CHECK (language <> ''),
  number integer NOT NULL CHECK (number > 0),
  state text NOT NULL DEFAULT 'Draft' CHECK (state IN
    ('Draft', 'Submitted', 'Approved', 'Active', 'Superseded', 'Rejected', 'Archived')),
  category text,
  body text NOT NULL,
  header jsonb CHECK (jsonb_typeof(header) = 'object'),
  footer text,
  buttons jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(buttons) = 'array'),
  content jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(content) = 'object'),
  variables jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(variables) = 'array'),
  content_hash text NOT NULL,
  force_rollout boolean NOT NULL DEFAULT false,
  is_pinned boolean NOT NULL DEFAULT false,
  upstream_health text NOT NULL DEFAULT 'OK'
    CHECK (upstream_health IN ('OK', 'FLAGGED', 'PAUSED', 'DISABLED')),
  health_until timestamptz,
  submission_id uuid,
  submitted_at timestamptz,
  approved_at timestamptz,
  activated_at timestamptz,
  superseded_at timestamptz,
  archived_at timestamptz,
  rejection_reason text,
  restored_from_id uuid REFERENCES template_versions (id),
  change_source text NOT NULL CHECK (change_source IN ('CREATED', 'RESTORED', 'CATALOG')),
  note text NOT NULL DEFAULT '',
  revision integer NOT NULL DEFAULT 1,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (template_id, channel, language, number),
  UNIQUE (id, workspace_id),
  FOREIGN KEY (template_id, workspace_id) REFERENCES templates (id, workspace_id),
  CHECK (NOT is_pinned OR state = 'Active'),
  CHECK (health_until IS NULL OR upstream_health = 'PAUSED'),
  CHECK (state <> 'Submitted' OR submission_id IS NOT NULL),
  CHECK (state NOT IN ('Approved', 'Active', 'Superseded') OR approved_at IS NOT NULL),
  CHECK (state <> 'Rejected' OR rejection_reason IS NOT NULL)
);
CREATE UNIQUE INDEX template_versions_active ON template_versions (template_id, channel, language)
  WHERE state = 'Active';
CREATE INDEX ON template_versions (template_id, created_at, id);
CREATE INDEX ON template_versions (workspace_id, state, created_at, id);
COMMENT ON TABLE template_versions IS 'What a template says in a channel and a language. Out of Draft its content never changes.';
COMMENT ON COLUMN template_versions.header IS 'Of an SMS the registered sender, of an email the subject.';
COMMENT ON COLUMN template_versions.content IS 'What only one channel has: an email''s preheader and text part, an SMS''s registration.';
COMMENT ON COLUMN template_versions.is_pinned IS 'An operator made it Active although a newer one was approved: newer approvals leave it so.';
COMMENT ON COLUMN template_versions.upstream_health IS 'What the channel says of it after the approval; beside the state, not in it.';
COMMENT ON COLUMN template_versions.submission_id IS 'The last one: only its verdict counts.';

-- What happened, by which this table and no application decides what may happen next.
CREATE FUNCTION check_template_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'Draft' THEN
      RAISE EXCEPTION 'a version begins as a Draft'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'template_version_transition';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.template_id, NEW.workspace_id, NEW.channel, NEW.language, NEW.number, NEW.created_at)
     IS DISTINCT FROM
     (OLD.id, OLD.template_id, OLD.workspace_id, OLD.channel, OLD.language, OLD.number, OLD.created_at)
     OR OLD.state <> 'Draft' AND
     (NEW.category, NEW.body, NEW.header, NEW.footer, NEW.buttons, NEW.content, NEW.variables,
      NEW.content_hash, NEW.restored_from_id, NEW.change_source)
     IS DISTINCT FROM
     (OLD.category, OLD.body, OLD.header, OLD.footer, OLD.buttons, OLD.content, OLD.variables,
      OLD.content_hash, OLD.restored_from_id, OLD.change_source) THEN
    RAISE EXCEPTION 'the content of a version out of Draft stays'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'template_version_content_stays';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('Draft', 'Submitted'), ('Submitted', 'Draft'), ('Submitted', 'Approved'),
    ('Submitted', 'Rejected'), ('Approved', 'Active'), ('Active', 'Superseded'),
    ('Superseded', 'Active'), ('Draft', 'Archived'), ('Submitted', 'Archived'),
    ('Approved', 'Archived'), ('Active', 'Archived'), ('Superseded', 'Archived'),
    ('Rejected', 'Archived')) THEN
    RAISE EXCEPTION 'a version cannot go from % to %', OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'template_version_transition';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER lifecycle BEFORE INSERT OR UPDATE ON template_versions
  FOR EACH ROW EXECUTE FUNCTION check_template_version();
CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON template_versions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE template_transitions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  from_state text,
  to_state text NOT NULL,
  cause text NOT NULL CHECK (cause <> ''),
  actor_id text NOT NULL,
  submission_id uuid,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (version_id, workspace_id) REFERENCES template_versions (id, workspace_id)
);
CREATE INDEX ON template_transitions (version_id, created_at, id);
COMMENT ON TABLE template_transitions IS 'Every state that a version was in, and who or what brought it there.';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON template_transitions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE template_submissions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  template_id uuid NOT NULL,
  version_id uuid NOT NULL,
  channel text NOT NULL,
  state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'APPROVED', 'REJECTED', 'CANCELED')),
  reason text,
  upstream_id text,
  upstream_name text,
  submitted_by text NOT NULL,
  submitted_at timestamptz NOT NULL,
  decided_at timestamptz,
  sla_due_at timestamptz NOT NULL,
  alerted_at timestamptz,
  UNIQUE (id, workspace_id),
  FOREIGN KEY (version_id, workspace_id) REFERENCES template_versions (id, workspace_id),
  CHECK ((state = 'PENDING') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX template_submissions_pending ON template_submissions (version_id) WHERE state = 'PENDING';
CREATE INDEX ON template_submissions (version_id, submitted_at, id);
CREATE INDEX ON template_submissions (sla_due_at) WHERE state = 'PENDING';
CREATE INDEX ON template_submissions (upstream_id) WHERE upstream_id IS NOT NULL;
COMMENT ON TABLE template_submissions IS 'Each time that a version was sent to its channel''s approver.';
COMMENT ON COLUMN template_submissions.sla_due_at IS 'From when an operator is told that there is no verdict yet.';

CREATE TABLE template_verdicts (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('APPROVED', 'REJECTED')),
  reason text,
  outcome text NOT NULL CHECK (outcome IN ('APPLIED', 'IGNORED')),
  ignored_because text,
  received_at timestamptz NOT NULL,
  FOREIGN KEY (submission_id, workspace_id) REFERENCES template_submissions (id, workspace_id),
  CHECK ((outcome = 'IGNORED') = (ignored_because IS NOT NULL))
);
CREATE UNIQUE INDEX template_verdicts_applied ON template_verdicts (submission_id) WHERE outcome = 'APPLIED';
CREATE INDEX ON template_verdicts (submission_id, received_at, id);
COMMENT ON TABLE template_verdicts IS 'Whatever an approver said, and whether it changed anything: at most once per submission.';
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON template_verdicts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Row-level security ------------------------------------------------------------------------------

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['templates', 'template_versions', 'template_transitions',
      'template_submissions', 'template_verdicts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own ON %I TO service_app
      USING (workspace_id IN (SELECT id FROM workspaces))
      WITH CHECK (workspace_id IN (SELECT id FROM workspaces))', name);
    EXECUTE format('CREATE POLICY every ON %I TO service_system USING (true) WITH CHECK (true)', name);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO service_app, service_system', name);
  END LOOP;
END
$$;
GRANT UPDATE ON templates, template_versions, template_submissions TO service_app, service_system;

ALTER TABLE catalog_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY published ON catalog_entries FOR SELECT TO service_app USING (is_published);
CREATE POLICY every ON catalog_entries TO service_system USING (true) WITH CHECK (true);
GRANT SELECT (id, name, description, versions, is_published, created_by, created_at)
  ON catalog_entries TO service_app;
GRANT SELECT, INSERT, UPDATE ON catalog_entries TO service_system;
