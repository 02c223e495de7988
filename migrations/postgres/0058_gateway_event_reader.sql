-- Which release's readers an event failed by, so that a release that reads more tries again what an
-- earlier one had to park as unreadable.

ALTER TABLE gateway_events ADD COLUMN reader smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN gateway_events.reader IS
  'By which version of the readers it failed last; unreadable events of a lower one are tried again, once.';

CREATE INDEX gateway_events_unread ON gateway_events (reader, id)
  WHERE state = 'PARKED' AND error LIKE 'UNREADABLE:%';
