# syntax=docker/dockerfile:1
# One image for all programs: docker run IMAGE migrate | ingest | api | spool | replay.
# The build needs no emulation: the only native module of a release is chosen by --cpu.

# The same version as the package `node` in package.json; a test compares them.
ARG NODE_VERSION=22.23.3

FROM --platform=$BUILDPLATFORM node:${NODE_VERSION}-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run prepare && npm run release -- /release --cpu "$TARGETARCH"

FROM node:${NODE_VERSION}-bookworm-slim
ARG BUILD_COMMIT=unknown
ENV NODE_ENV=production BUILD_COMMIT=${BUILD_COMMIT} DATA_DIR=/data
# A container has its own network: publish 8080 and 4000 only.
ENV INGEST_HOST=0.0.0.0 INGEST_OPERATIONS_HOST=0.0.0.0 INGEST_OPERATIONS_PORT=8081 \
    API_HOST=0.0.0.0 API_OPERATIONS_HOST=0.0.0.0 API_OPERATIONS_PORT=4001
# Only the programs' own files are needed, not npm.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* \
    /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && install -d -o node -g node -m 0700 /data
COPY --from=build /release /app
WORKDIR /app
# The user `node` of the base image, as a number, so that Kubernetes can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080 8081 4000 4001
ENTRYPOINT ["/app/service"]
