# Stands in for the official Valkey image.
FROM debian-servers
CMD ["valkey-server"]
