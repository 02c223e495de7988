-- @without-transaction
-- Payments are listed by their status, and the effects on one payment, its refunds and its disputes.

DROP INDEX CONCURRENTLY IF EXISTS gateway_payments_by_status;
CREATE INDEX CONCURRENTLY gateway_payments_by_status ON gateway_payments (workspace_id, status, created_at, id);
DROP INDEX CONCURRENTLY IF EXISTS gateway_effects_by_object;
CREATE INDEX CONCURRENTLY gateway_effects_by_object ON gateway_effects (account_id, object_kind, object_id);
