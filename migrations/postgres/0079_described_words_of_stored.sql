-- The words of the links and orders that were stored before 0078, in a transaction of their own: creating a trigger
-- makes writes wait until the end of its transaction.

-- accepted: reads the table once, and requests do not wait for it
INSERT INTO gateway_described_words (workspace_id, object_kind, object_id, word)
SELECT link.workspace_id, 'link', link.link_id, word FROM gateway_links link, words_of(link.purpose) AS word
WHERE link.workspace_id IS NOT NULL
ON CONFLICT DO NOTHING;
-- accepted: reads the table once, and requests do not wait for it
INSERT INTO gateway_described_words (workspace_id, object_kind, object_id, word)
SELECT made.workspace_id, 'order', made.order_id, word FROM gateway_orders made, words_of(made.note) AS word
WHERE made.workspace_id IS NOT NULL
ON CONFLICT DO NOTHING;
