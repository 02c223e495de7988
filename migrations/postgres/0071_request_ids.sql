-- The request that caused an event, so that one ID finds it in the logs of the proxy, of both programs and of the
-- receiver of a webhook.

ALTER TABLE gateway_events ADD COLUMN request_id text;
COMMENT ON COLUMN gateway_events.request_id IS 'Of the webhook request; null if it was stored by a release before 0.2.';

ALTER TABLE outbound_events ADD COLUMN request_id text;
COMMENT ON COLUMN outbound_events.request_id IS 'Of the request or job that caused the event; null if that is not known.';
