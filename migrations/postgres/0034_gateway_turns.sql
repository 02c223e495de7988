-- Every account's events have their turn, however many another account has waiting.

CREATE INDEX gateway_events_turns ON gateway_events (account_id, next_attempt_at, id)
  WHERE state IN ('RECEIVED', 'FAILED');
DROP INDEX gateway_events_due;
