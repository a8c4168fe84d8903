package reconcile

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
)

// processName tells this process apart from every other, also from one that had
// its process id before, or has it in another container.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), strings.ToLower(rand.Text()[:8]))
}
