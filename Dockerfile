# One image for every part of the product: munshi serve, munshi worker, munshi migrate. `make containers` builds it and looks
# into it. The packages below are those of tools/setup/packages; a test compares them.

FROM node:22.23.2-bookworm-slim AS webapp
WORKDIR /src/webapp
COPY webapp/package.json webapp/package-lock.json webapp/.npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY webapp ./
COPY orchestrator/message ../orchestrator/message
RUN npm run build

FROM golang:1.26.8-bookworm AS build
RUN apt-get update \
 && apt-get install -qy --no-install-recommends g++ libtesseract-dev libleptonica-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY config config
COPY workflows workflows
COPY orchestrator orchestrator
COPY evals evals
COPY prompts prompts
COPY builtin.go ./
ARG VERSION=dev
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=1 go build -tags nodynamic,nomsgpack -trimpath -buildvcs=false \
      -ldflags="-s -w -X main.version=$VERSION" -o /out/munshi ./orchestrator

# MuPDF is inside the program; Tesseract and its languages come from Debian, the release that the program was built on. What
# only an intruder would use goes: shells, package manager, Perl, and the right of programs to run as their owner.
FROM debian:bookworm-20260824-slim
RUN apt-get update \
 && apt-get install -qy --no-install-recommends ca-certificates tzdata \
      tesseract-ocr tesseract-ocr-eng tesseract-ocr-hin tesseract-ocr-osd \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group --no-create-home munshi \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
 && rm -f /usr/bin/apt* /usr/bin/dpkg* /usr/bin/perl* /usr/bin/su /usr/bin/mount /usr/bin/umount /bin/su /bin/mount /bin/umount \
 && rm -f /usr/bin/bash /usr/bin/dash /usr/bin/sh /bin/bash /bin/dash /bin/sh
COPY --from=build /out/munshi /munshi/bin/munshi
COPY --from=webapp /src/webapp/dist /munshi/webapp/dist
COPY config/munshi.yaml /munshi/config/munshi.yaml
COPY config/site /munshi/config/site
COPY prompts /munshi/prompts
COPY evals /munshi/evals
COPY LICENSE /munshi/LICENSE
ENV MUNSHI_HOME=/munshi \
    MUNSHI_SERVER_ADDRESS=0.0.0.0:8080 \
    MUNSHI_SERVER_OPERATOR_ADDRESS=0.0.0.0:9464 \
    MUNSHI_LOG_FORMAT=json
WORKDIR /munshi
USER munshi
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/munshi/bin/munshi", "ready"]
ENTRYPOINT ["/munshi/bin/munshi"]
CMD ["serve"]
