# An image with the package, for machines that run containers:
#   docker build -t caravan .
# Documentation/Service.md, "In a container", has the commands to run it.
FROM docker.io/library/swift:6.3-bookworm AS build
WORKDIR /caravan
COPY . .
RUN apt-get update && Scripts/setup --yes && apt-get install -y dpkg-dev xz-utils && Scripts/package --output /packages

FROM docker.io/library/debian:bookworm-slim
COPY --from=build /packages/caravan_*.deb /tmp/
RUN apt-get update && \
    apt-get install -y --no-install-recommends /tmp/caravan_*.deb libcurl4 libvips-tools bubblewrap curl && \
    rm -rf /tmp/caravan_*.deb /var/lib/apt/lists/* && \
    useradd --uid 1000 --create-home caravan && install -d -o caravan -m 700 /data
USER caravan
ENV CARAVAN_HOME=/data
VOLUME /data
ENTRYPOINT ["/usr/bin/caravan"]
CMD ["up", "--log", "json"]
