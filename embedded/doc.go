// Package embedded runs the two servers that Consilience needs inside or below
// this process: NATS with JetStream in process ([StartNATS]) and a private
// Postgres as a child process ([StartPostgres]).
//
// The tour: binaries.go finds Postgres on the machine and fetch.go downloads it
// where there is none; place.go decides where the data lie and runas.go as whom
// Postgres runs; postgres.go starts and stops it, takeover.go takes a folder over
// from a killed process, watchdog.go ends Postgres when this process dies, however
// it dies. nats.go starts NATS; accounts.conf is the boundary between the service
// and the contributors, and gate.go lets a client through it by its key.
package embedded
