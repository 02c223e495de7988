#!/bin/sh
# Writes nginx's configuration from /nginx.conf with the names of the containers as upstreams, and a
# second port with TLS if there is a certificate; then starts nginx.
set -eu
conf=${CONF:-/etc/nginx/conf.d/default.conf}
certificates=${CERTIFICATES:-/certificates}

sed -e 's/127\.0\.0\.1:8080/ingest:8080/' -e 's/127\.0\.0\.1:4000/api:4000/' "${SOURCE:-/nginx.conf}" > "$conf"
if [ -f "$certificates/certificate.pem" ] && [ -f "$certificates/key.pem" ]; then
  sed -i "s|^\( *\)listen 3000 reuseport;|&\n\1listen 443 ssl;\n\1ssl_certificate $certificates/certificate.pem;\n\1ssl_certificate_key $certificates/key.pem;\n\1ssl_protocols TLSv1.2 TLSv1.3;|" "$conf"
fi
exec nginx -g 'daemon off;'
