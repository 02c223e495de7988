-- Which deliveries an event has, to know whether it is still needed; what tells two of them apart is
-- the same.

CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (event_id, endpoint_id);
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_endpoint_id_event_id_key;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_event UNIQUE
  USING INDEX webhook_deliveries_event;
