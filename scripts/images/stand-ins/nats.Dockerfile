# Stands in for the official NATS image.
FROM debian-servers
COPY nats-server /usr/local/bin/nats-server
ENTRYPOINT ["nats-server"]
