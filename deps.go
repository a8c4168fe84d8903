//go:build deps

// Package deps pins dependencies until the code that uses them lands.
package deps

import (
	_ "filippo.io/edwards25519"
	_ "github.com/fergusstrange/embedded-postgres"
	_ "github.com/fxamacker/cbor/v2"
	_ "github.com/gowebpki/jcs"
	_ "github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go/jetstream"
	_ "github.com/nats-io/nats.go/micro"
	_ "github.com/pressly/goose/v3"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/schollz/progressbar/v3"
	_ "github.com/spf13/cobra"
	_ "github.com/synadia-io/orbit.go/jetstreamext"
	_ "github.com/veraison/go-cose"
	_ "golang.org/x/text/unicode/norm"
	_ "modernc.org/sqlite"
)
