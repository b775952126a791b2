# Stands in for the official PostgreSQL image.
FROM debian-servers
COPY postgres.sh /usr/local/bin/postgres.sh
STOPSIGNAL SIGINT
ENTRYPOINT ["sh", "/usr/local/bin/postgres.sh"]
