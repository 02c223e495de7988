-- Functions that run as the owner find nothing that their caller made. Postgres looks for tables and types in
-- pg_temp first, unless search_path names it: then a temporary view in the place of a table would run its
-- maker's code as the owner, whom row-level security does not bind.
DO $$
DECLARE
  definer regprocedure;
BEGIN
  FOR definer IN SELECT oid FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, public, pg_temp', definer);
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', definer);
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION platform_account_id TO service_app, service_system;

-- It ends deals of every agency, by a time that its caller chooses: only the system's to call.
REVOKE EXECUTE ON FUNCTION expire_overdue_deals FROM service_app;
