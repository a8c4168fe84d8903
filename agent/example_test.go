package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"consilience/agent"
	"consilience/record"
)

// A contributor remembers, changes its mind, and sees what it would propose. No
// store is needed for that.
func Example() {
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	home, err := agent.Create(filepath.Join(dir, "alice"), agent.Options{Name: "alice"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer home.Close()

	valve, err := home.Remember(ctx, agent.Draft{Content: []byte("The valve opens at 3 bar.")})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = home.Remember(ctx, agent.Draft{
		Content: []byte("It leaked twice in May."),
		Refs:    []record.ID{valve.Record.ID},
		Base:    900_000, // 0.9, in millionths
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	changes, err := home.Diff(ctx, "plant")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range changes.New {
		r, _, _ := home.Get(ctx, n.Record)
		fmt.Printf("%s %s, refers to %d\n", agent.FormatPPM(n.Base), r.Content, len(r.Pairs))
	}
	// Output:
	// 0.8 The valve opens at 3 bar., refers to 0
	// 0.9 It leaked twice in May., refers to 1
}
