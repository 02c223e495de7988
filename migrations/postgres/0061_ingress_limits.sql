-- How much an organisation's keys may send in a minute, without a setting for each: a default of the cell.

ALTER TABLE cells ADD COLUMN ingress_events_per_minute integer CHECK (ingress_events_per_minute > 0);
COMMENT ON COLUMN cells.ingress_events_per_minute IS 'The ingress limit of each organisation with a workspace here that has none of its own; null is unlimited.';
COMMENT ON COLUMN organizations.ingress_events_per_minute IS 'The tenant''s ingress limit over all its keys; null is the default of its cells.';

-- The one that holds, for ingest and for those who look at it. Of several cells, the lowest default: the
-- organisation has one counter.
CREATE VIEW ingress_limits WITH (security_invoker = true) AS
SELECT organizations.id AS organization_id,
       coalesce(organizations.ingress_events_per_minute, defaults.events_per_minute) AS events_per_minute
FROM organizations
LEFT JOIN (
  SELECT workspaces.organization_id, min(cells.ingress_events_per_minute) AS events_per_minute
  FROM workspaces JOIN cells ON cells.id = workspaces.cell_id
  GROUP BY workspaces.organization_id
) defaults ON defaults.organization_id = organizations.id;
GRANT SELECT ON ingress_limits TO service_app, service_system;

-- An owner renames the organisation; its limit is the platform's.
REVOKE UPDATE ON organizations FROM service_app;
GRANT UPDATE (name) ON organizations TO service_app;
