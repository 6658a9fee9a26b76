# The server as one static program, with the revision it was built from ("server version"). docker-compose.yml runs it;
# docs/operations.md tells how.
FROM golang:1.26-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/server ./cmd/server
RUN scripts/licences /out/licences

FROM alpine:3.22@sha256:14358309a308569c32bdc37e2e0e9694be33a9d99e68afb0f5ff33cc1f695dce
RUN adduser -D -H -u 10001 tenure && install -d -o tenure -g tenure -m 0700 /var/lib/tenure
COPY --from=build /out/server /usr/local/bin/server
COPY LICENSE NOTICE /usr/share/doc/tenure/
COPY --from=build /out/licences /usr/share/doc/tenure/licences
USER 10001
VOLUME /var/lib/tenure
EXPOSE 8080
ENTRYPOINT ["/usr/local/bin/server"]
CMD ["serve"]
