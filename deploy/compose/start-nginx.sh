#!/bin/sh
# Writes nginx's configuration from /nginx.conf, with the names of the services as upstreams and with
# TLS if there is a certificate, and starts nginx.
set -eu
conf=${CONF:-/etc/nginx/conf.d/default.conf}
certificates=${CERTIFICATES:-/certificates}

sed -e 's/127\.0\.0\.1:8080/ingest:8080/' -e 's/127\.0\.0\.1:8081/ingest:8081/' \
  -e 's/127\.0\.0\.1:4000/api:4000/' "${SOURCE:-/nginx.conf}" > "$conf"
if [ -f "$certificates/fullchain.pem" ] && [ -f "$certificates/privkey.pem" ]; then
  sed -i -e 's/#tls //' -e "s|/etc/nginx/tls/|$certificates/|" "$conf"
fi
exec nginx -g 'daemon off;'
