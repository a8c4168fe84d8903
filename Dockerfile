# syntax=docker/dockerfile:1
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/ ./cmd/reconciler ./cmd/contributor

# slim, not distroless: the health check and the init step of docker-compose.yml use
# its shell.
FROM debian:bookworm-slim
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/ /usr/local/bin/
# A volume on /keys takes over this owner, so that init can write there.
RUN useradd --system --uid 10001 --home-dir /nonexistent reconciler \
 && install -d -m 0700 -o 10001 /keys
USER 10001
ENTRYPOINT ["reconciler"]
CMD ["serve"]
