-- A refund is added up under the lock of its payment, which the application's role may take only
-- where it may write something. It writes nothing there.
GRANT UPDATE (updated_at) ON gateway_payments TO service_app;
