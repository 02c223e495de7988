#!/bin/sh
# Creates the logins when the volume is new. The image has already created the owner and the database.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=database="$POSTGRES_DB" --set=owner="$POSTGRES_USER" --set=owner_password="$POSTGRES_PASSWORD" \
  --set=app_password="$POSTGRES_APP_PASSWORD" --set=system_password="$POSTGRES_SYSTEM_PASSWORD" \
  --file=/logins.sql
