# What compose.yaml counts on of the official image: at the first start a cluster in PGDATA, the password, the database.
set -eu
programs=$(echo /usr/lib/postgresql/*/bin)
as_postgres() { runuser -u postgres -- "$@"; }

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  install -o postgres -m 400 "$POSTGRES_PASSWORD_FILE" /tmp/password
  as_postgres "$programs/initdb" --pgdata "$PGDATA" --username postgres --auth scram-sha-256 \
    --pwfile /tmp/password --encoding UTF8 --locale C
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | as_postgres "$programs/postgres" --single -D "$PGDATA" postgres
fi
exec runuser -u postgres -- "$programs/postgres" -D "$PGDATA" \
  -c 'listen_addresses=*' -c unix_socket_directories=
