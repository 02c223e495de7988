-- What the live view shows of outbound webhooks: attempts in the order in which they were over. When
-- one began says little about when its row is written: it may have waited for its time-out.

ALTER TABLE webhook_attempts ADD COLUMN settled_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX ON webhook_attempts (workspace_id, settled_at);
COMMENT ON COLUMN webhook_attempts.settled_at IS 'When its outcome was written.';
