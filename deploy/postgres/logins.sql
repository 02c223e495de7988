-- The database and the three logins of the service, for psql as a superuser. Running it again resets
-- the passwords and changes nothing else:
--   psql --set=ON_ERROR_STOP=1 --set=database=engagement --set=owner=engagement --set=owner_password=… \
--     --set=app_password=… --set=system_password=… --file=deploy/postgres/logins.sql
-- Other users of the machine can see these options while the command runs. To avoid that, put lines such as
-- \set app_password '…' into a file of your own, and add --file=THAT_FILE before the last option.

-- Passwords are not written to the log of Postgres.
SET log_statement = 'none';
SET log_min_error_statement = 'panic';

SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY[:'owner', 'service_app', 'service_system']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec

-- Migrates and owns the tables. It needs no CREATEROLE, because the other two roles exist.
ALTER ROLE :"owner" LOGIN PASSWORD :'owner_password';
-- Row-level security limits service_app to one organization at a time; service_system sees all.
ALTER ROLE service_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'app_password';
ALTER ROLE service_system LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'system_password';

SELECT format('CREATE DATABASE %I OWNER %I', :'database', :'owner')
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
