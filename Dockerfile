# A Gauntlet worker: Node, the sandbox, a debugger for stack frames, and nothing of the build.
FROM node:20-bookworm-slim AS build
WORKDIR /gauntlet
COPY . .
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap gdb git ca-certificates \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /gauntlet /gauntlet
RUN mkdir /store /state && chown node:node /store /state
USER node
ENV GAUNTLET_HOME=/state
ENTRYPOINT ["/gauntlet/bin/gauntlet"]
CMD ["worker"]
