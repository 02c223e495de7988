-- A delivery is told of once, also where its reports name the person differently: first by the device alone,
-- later by the user as well.

CREATE TABLE delivery_names (
  name uuid PRIMARY KEY,
  person uuid,
  told text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE delivery_names IS 'What webhook endpoints were told of a delivery, under each id that its reports give it.';
COMMENT ON COLUMN delivery_names.name IS 'The id of the delivery as a report derives it that names a user, a contact id or a device.';
COMMENT ON COLUMN delivery_names.person IS 'The name of the person it belongs to; null while no report has shown whose contact id or device it is.';
COMMENT ON COLUMN delivery_names.told IS 'Types of the events that were told under this name.';
CREATE INDEX ON delivery_names (person) WHERE person IS NOT NULL;
CREATE INDEX delivery_names_old ON delivery_names USING brin (created_at) WITH (autosummarize = on);
ALTER TABLE delivery_names ENABLE ROW LEVEL SECURITY;
CREATE POLICY every ON delivery_names TO service_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON delivery_names TO service_system;

-- Of what was told so far: named by the contact id where there was one, else the user id, else the device.
INSERT INTO delivery_names (name, person, told, created_at)
SELECT name, CASE WHEN is_user THEN name END, array_agg(DISTINCT type), min(created_at)
FROM (
  SELECT (payload ->> 'delivery_id')::uuid AS name, type, created_at,
         payload ->> 'contact_id' = '' AND payload ->> 'user_id' <> '' AS is_user
  FROM outbound_events
  WHERE type IN ('delivery.delivered', 'delivery.opened', 'delivery.clicked')
    AND payload ->> 'channel' = 'push' AND payload ->> 'message_id' <> ''
) AS sent
GROUP BY name, is_user
ON CONFLICT DO NOTHING;

-- named: 0 by the id alone, 1 by a user, 2 by a contact id or a device alone. other_names: what else the
-- report names, comma between; the first person that a report names beside a contact id or device is
-- whose it is. An empty type tells nothing but that.
CREATE FUNCTION tell_outbound_events(ids uuid[], workspace_ids uuid[], types text[], payloads jsonb[],
    times timestamptz[], named int[], names uuid[], other_names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  event record;
  others uuid[];
  claimed uuid[];
  owner uuid;
BEGIN
  -- What two writers are about to tell they could not see of one another.
  PERFORM pg_advisory_xact_lock(7113042520);
  FOR event IN
    SELECT row.*
    FROM unnest(ids, workspace_ids, types, payloads, times, named, names, other_names) WITH ORDINALITY
      AS row (id, workspace_id, type, payload, occurred_at, named, name, other_names, number)
    JOIN workspaces ON workspaces.id = row.workspace_id
    ORDER BY number
  LOOP
    IF event.named > 0 THEN
      others := string_to_array(event.other_names, ',')::uuid[];
      INSERT INTO delivery_names (name, person)
      VALUES (event.name, CASE WHEN event.named = 1 THEN event.name END) ON CONFLICT DO NOTHING;
      SELECT coalesce(person, name) INTO owner FROM delivery_names WHERE name = event.name;
      WITH taken AS (
        UPDATE delivery_names SET person = owner WHERE name = ANY (others) AND person IS NULL RETURNING name)
      SELECT array_agg(name) INTO claimed FROM taken;
      -- A contact id may have had a device of its own.
      UPDATE delivery_names SET person = owner WHERE person = ANY (claimed);
      INSERT INTO delivery_names (name, person) SELECT unnest(others), owner ON CONFLICT DO NOTHING;
      CONTINUE WHEN event.type = '' OR EXISTS (
        SELECT FROM delivery_names WHERE (name = owner OR person = owner) AND event.type = ANY (told));
      UPDATE delivery_names SET told = told || event.type WHERE name = event.name;
    END IF;
    INSERT INTO outbound_events (id, workspace_id, type, payload, occurred_at)
    VALUES (event.id, event.workspace_id, event.type, event.payload, event.occurred_at)
    ON CONFLICT DO NOTHING;
  END LOOP;
END
$$;
