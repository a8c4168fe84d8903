package deploy_test

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"consilience/identity"
	"consilience/internal/testkit"
)

// The steps of docker-compose.yml, as it calls them, against its NATS and a Postgres:
// init twice, migrate, and two workers that its health check finds well.
func TestComposeSteps(t *testing.T) {
	key, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys, bin, values := t.TempDir(), testkit.Build(t, "./cmd/reconciler"), compose(t)
	env := []string{
		"RECONCILER_NATS=nats://core:trial@" + deployed(t, key.Public()),
		"RECONCILER_POSTGRES=" + testkit.Postgres(t, nil).URL,
		"RECONCILER_SERVICE_KEY=" + filepath.Join(keys, "service.key"),
		"RECONCILER_HTTP=127.0.0.1:0",
		"PATH=" + filepath.Dir(bin) + ":" + os.Getenv("PATH"),
	}
	var stores [2]string
	for i := range stores {
		step(t, env, strings.ReplaceAll(strings.TrimPrefix(values["services.init.command"], "- |\n"), "/keys", keys))
		store, err := os.ReadFile(filepath.Join(keys, "store"))
		if err != nil {
			t.Fatal(err)
		}
		stores[i] = strings.TrimSpace(string(store))
	}
	if stores[0] != stores[1] || len(stores[0]) != 43 {
		t.Errorf("store ids %q", stores)
	}
	step(t, env, "reconciler migrate")
	serve := strings.TrimPrefix(strings.TrimSpace(values["services.reconciler.command"]), "- ")
	serve = strings.ReplaceAll(strings.ReplaceAll(serve, "$$", "$"), "/keys", keys)
	for range 2 {
		worker := testkit.Start(t, env, "/bin/sh", "-ec", serve)
		healthy(t, values, worker.WaitLine("/healthz"))
	}
}

// step runs one command of the file to its end.
func step(t *testing.T, env []string, script string) {
	t.Helper()
	p := testkit.Start(t, env, "/bin/sh", "-ec", script)
	if status := p.Wait(); status != 0 {
		t.Fatalf("%s: status %d\n%s", script, status, p.Output())
	}
}

// healthy runs the file's health check against the address in line.
func healthy(t *testing.T, values map[string]string, line string) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash on this machine")
	}
	address := regexp.MustCompile(`127\.0\.0\.1:(\d+)`).FindStringSubmatch(line)
	if address == nil {
		t.Fatalf("no address in %q", line)
	}
	_, check, _ := strings.Cut(values["services.reconciler.healthcheck.test"], "- -c\n- ")
	check = strings.TrimSpace(strings.ReplaceAll(check, "127.0.0.1/8080", "127.0.0.1/"+address[1]))
	testkit.Eventually(t, 30*time.Second, "the worker is well", func() bool {
		return exec.Command("bash", "-c", check).Run() == nil
	})
}
