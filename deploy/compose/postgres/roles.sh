#!/bin/sh
# The two roles of the programs, with a login each. Migrations find them and grant them their rights.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=app="$POSTGRES_APP_PASSWORD" --set=system="$POSTGRES_SYSTEM_PASSWORD" <<'SQL'
CREATE ROLE service_app LOGIN PASSWORD :'app';
CREATE ROLE service_system LOGIN PASSWORD :'system';
SQL
