-- @without-transaction
-- Payments are listed by their method.

DROP INDEX CONCURRENTLY IF EXISTS gateway_payments_by_method;
CREATE INDEX CONCURRENTLY gateway_payments_by_method ON gateway_payments (workspace_id, method, created_at, id);
