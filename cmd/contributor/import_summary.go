package main

import (
	"fmt"
	"io"

	"consilience/internal/cli"
)

// summary is what an import of sources prints.
type summary struct {
	Claims    int            `json:"claims"`    // in the file
	Sources   int            `json:"sources"`   // that state them
	Enrolled  int            `json:"enrolled"`  // sources enrolled now
	Published int            `json:"published"` // records that the log took now
	Deltas    int            `json:"deltas"`    // that carried them
	Already   int            `json:"already"`   // records that were there before, or twice in the file
	Merged    int            `json:"merged"`    // deltas merged, as far as known
	Pending   int            `json:"pending"`   // deltas without an outcome yet
	Refused   map[string]int `json:"refused"`   // deltas, by reason
}

func showSummary(w io.Writer, s summary) {
	fmt.Fprintf(w, "%s of %s, %d already there\n", cli.Count(s.Claims, "claim"), cli.Count(s.Sources, "source"), s.Already)
	if s.Published == 0 {
		fmt.Fprintln(w, "nothing was published: all of it was before")
	} else {
		fmt.Fprintf(w, "%s published in %s, %s enrolled\n",
			cli.Count(s.Published, "record"), cli.Count(s.Deltas, "delta"), cli.Count(s.Enrolled, "source"))
	}
	fmt.Fprintf(w, "%s merged, %d pending\n", cli.Count(s.Merged, "delta"), s.Pending)
	for why, n := range s.Refused {
		fmt.Fprintf(w, "%d refused: %s\n", n, why)
	}
}
