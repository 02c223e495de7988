-- What we made at the gateway, found by the gateway's own ids: its events often name nothing else.

CREATE INDEX ON gateway_links (account_id, cf_id) WHERE cf_id IS NOT NULL;
CREATE INDEX ON gateway_subscriptions (account_id, cf_id) WHERE cf_id IS NOT NULL;
CREATE INDEX ON gateway_refunds (account_id, cf_id) WHERE cf_id IS NOT NULL;
CREATE INDEX ON gateway_refunds (account_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX ON gateway_link_orders (account_id, link_id);
