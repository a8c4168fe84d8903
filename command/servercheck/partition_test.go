// Package servercheck compares what command computes with what a NATS server
// does. It is a package of its own so that the tests and fuzz targets of command
// do not link a server.
package servercheck

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"consilience/command"
	"consilience/identity"
)

// The server computes the same partition and the same stored subject.
func TestPartitionIsTheServers(t *testing.T) {
	transform, err := server.NewSubjectTransform("mem.space.*.*.*",
		"mem.part.{{partition(16,1)}}.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}")
	if err != nil {
		t.Fatal(err)
	}
	used := map[int]bool{}
	for i := range 500 {
		space := fmt.Sprintf("space-%d_%c", i*i, 'a'+i%26)
		published := command.DeltaSubject(space, identity.ID{byte(i)})
		stored, err := transform.Match(published)
		if err != nil {
			t.Fatal(err)
		}
		s, err := command.ParseSubject(published)
		if err != nil {
			t.Fatal(err)
		}
		if s.Stored() != stored {
			t.Errorf("the server stores %s, we say %s", stored, s.Stored())
		}
		used[command.Partition(space)] = true
	}
	if len(used) != command.Partitions {
		t.Errorf("500 spaces use %d of %d partitions", len(used), command.Partitions)
	}
}
