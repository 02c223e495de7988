-- @without-transaction
-- Payments are found by the purpose of their link or the note of their order. By workspace, because
-- many workspaces share the platform's account.

DROP INDEX CONCURRENTLY IF EXISTS gateway_links_by_purpose;
CREATE INDEX CONCURRENTLY gateway_links_by_purpose ON gateway_links (workspace_id, purpose);
DROP INDEX CONCURRENTLY IF EXISTS gateway_orders_by_note;
CREATE INDEX CONCURRENTLY gateway_orders_by_note ON gateway_orders (workspace_id, note) WHERE note IS NOT NULL;
