// Package consilience is the root of a reconciler for the memories of fleets of
// AI agents: signed deltas on a log, merged into a store one can query, replay
// and contain.
//
// Each space is a deterministic state machine over one ordered log. JetStream
// holds the log (package bus), Postgres holds the state (package
// storage/postgres), the reconciler is the function between them (packages merge
// and reconcile). Replay, audit, crash safety and scaling out follow from that.
//
// Pure rooms, which take state and return data: reason, wire, identity, record,
// delta, command, lineage, reputation, fleet, cluster, merge, projection. Edge
// rooms: bus, storage/postgres, migrations, embedded, reconcile, agent. The
// commands in cmd wire them together. The test beside this file holds the walls.
//
// It implements draft-ruvalcaba-nhe-memory-00 (NHE Memory) and
// draft-ferro-schrock-memory-projection-record-01 (Memory Projection Record).
package consilience
