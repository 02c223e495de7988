-- Reads the people who request campaigns, many requests at once. A function, because its plan is kept by the
-- server for the session: parsing and planning the statement takes four times as long as running it, and
-- statements with names do not survive a pooler in transaction mode.
--
-- A contact named by its ID takes precedence over one named by the application's user ID. A person without a
-- contact is identified by that user ID. Exposures are read in index order, up to the limit and one more;
-- widgets by highest priority first.

CREATE FUNCTION read_persons(
  workspace_ids uuid[],
  contact_ids uuid[],
  contact_texts text[],
  user_ids text[],
  asked_at timestamptz[],
  window_seconds integer,
  exposures_max integer,
  widgets_max integer
) RETURNS TABLE (
  number integer,
  "userId" text,
  traits jsonb,
  "isSuppressed" boolean,
  "dailyMax" integer,
  "intervalSecondsMin" integer,
  consents json,
  "segmentIds" uuid[],
  exposures json,
  widgets json
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT asked.number::int AS number, person.user_id AS "userId", contact.traits,
    contact.suppressed_at IS NOT NULL AS "isSuppressed",
    workspaces.in_app_daily_max AS "dailyMax",
    workspaces.in_app_interval_seconds_min AS "intervalSecondsMin",
    (
      SELECT json_object_agg(purpose, status) FROM consents
      WHERE contact_id = contact.id AND workspace_id = asked.workspace_id
    ) AS consents,
    ARRAY(
      SELECT segment_id FROM segment_members
      WHERE workspace_id = asked.workspace_id AND user_id = person.user_id
    ) AS "segmentIds",
    (
      SELECT json_agg(json_build_array(campaign_id, total, impressions, last_ms, recent_ms,
                                       is_clicked, is_dismissed))
      FROM (
        SELECT campaign_id, count(*) AS total,
          count(*) FILTER (WHERE event_type = 'impression') AS impressions,
          max(at_ms) FILTER (WHERE event_type = 'impression') AS last_ms,
          array_agg(at_ms) FILTER (WHERE event_type = 'impression' AND is_recent) AS recent_ms,
          bool_or(event_type = 'clicked') AS is_clicked,
          bool_or(event_type = 'dismissed') AS is_dismissed
        FROM (
          SELECT campaign_id, event_type, (extract(epoch FROM occurred_at) * 1000)::int8 AS at_ms,
            occurred_at > asked.at - make_interval(secs => window_seconds) AS is_recent
          FROM exposures
          WHERE workspace_id = asked.workspace_id AND user_id = person.user_id
          ORDER BY workspace_id, user_id, campaign_id, event_type, occurred_at
          LIMIT exposures_max + 1
        ) AS exposure
        GROUP BY campaign_id
      ) AS by_campaign
    ) AS exposures,
    (
      SELECT json_agg(queued) FROM (
        SELECT id, campaign_id AS "campaignId", name, type, surfaces, content::text AS content,
          priority, variant_id AS "variantId", consent_purpose AS "consentPurpose",
          is_cap_exempt AS "isCapExempt",
          (extract(epoch FROM nullif(expires_at, 'infinity')) * 1000)::int8 AS "expiresAtMs",
          (extract(epoch FROM queued_at) * 1000)::int8 AS "queuedAtMs"
        FROM widget_step_executions
        WHERE workspace_id = asked.workspace_id AND user_id = person.user_id
          AND state IN ('QUEUED', 'SERVED', 'VIEWED')
          AND (expires_at IS NULL OR expires_at > asked.at)
        ORDER BY widget_step_executions.priority DESC, queued_at, id
        LIMIT widgets_max
      ) AS queued
    ) AS widgets
  FROM unnest(workspace_ids, contact_ids, contact_texts, user_ids, asked_at) WITH ORDINALITY
    AS asked (workspace_id, contact_id, contact_text, user_id, at, number)
  JOIN workspaces ON workspaces.id = asked.workspace_id
  LEFT JOIN LATERAL (
    SELECT id, user_id, traits, suppressed_at, 1 AS place FROM contacts
    WHERE id = asked.contact_id AND workspace_id = asked.workspace_id
    UNION ALL
    SELECT id, user_id, traits, suppressed_at, 2 FROM contacts
    WHERE workspace_id = asked.workspace_id AND user_id = asked.contact_text
    UNION ALL
    SELECT id, user_id, traits, suppressed_at, 3 FROM contacts
    WHERE workspace_id = asked.workspace_id AND user_id = asked.user_id
    ORDER BY place
    LIMIT 1
  ) AS contact ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(contact.user_id, nullif(asked.user_id, ''), asked.contact_text) AS user_id
  ) AS person;
END
$$;
