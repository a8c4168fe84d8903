package deploy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"consilience/internal/testkit"
)

// compose reads docker-compose.yml as far as its form goes: maps nested by
// indentation. It returns the values by their path, "services.nats.image"; the items
// of a list and the lines of a block are joined to its value.
func compose(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docker-compose.yml"))
	if err != nil {
		t.Fatal(err)
	}
	type level struct {
		indent int
		path   string
	}
	key := regexp.MustCompile(`^( *)([A-Za-z_<][\w.<-]*):(?: (.*))?$`)
	values, stack := map[string]string{}, []level{{-1, ""}}
	for line := range strings.SplitSeq(string(text), "\n") {
		m := key.FindStringSubmatch(line)
		if m == nil {
			if text := strings.TrimSpace(line); text != "" {
				values[stack[len(stack)-1].path] += text + "\n"
			}
			continue
		}
		for len(m[1]) <= stack[len(stack)-1].indent {
			stack = stack[:len(stack)-1]
		}
		path := strings.TrimPrefix(stack[len(stack)-1].path+"."+m[2], ".")
		stack = append(stack, level{len(m[1]), path})
		values[path] = m[3]
	}
	return values
}

func TestComposeStartsInOrder(t *testing.T) {
	t.Parallel()
	values := compose(t)
	for path, want := range map[string]string{
		"services.init.depends_on.nats.condition":           "service_healthy",
		"services.migrate.depends_on.postgres.condition":    "service_healthy",
		"services.reconciler.depends_on.init.condition":     "service_completed_successfully",
		"services.reconciler.depends_on.migrate.condition":  "service_completed_successfully",
		"services.reconciler.depends_on.nats.condition":     "service_healthy",
		"services.reconciler.depends_on.postgres.condition": "service_healthy",
		"services.reconciler.deploy.replicas":               "2",
	} {
		if values[path] != want {
			t.Errorf("%s is %q, want %q", path, values[path], want)
		}
	}
	for _, service := range []string{"postgres", "nats", "reconciler"} {
		if values["services."+service+".healthcheck.test"] == "" {
			t.Errorf("%s has no health check", service)
		}
	}
	for _, service := range []string{"init", "migrate", "reconciler"} {
		if values["services."+service+".<<"] != "*reconciler" {
			t.Errorf("%s is not built from this repository", service)
		}
	}
}

// What the file calls is what the command has.
func TestComposeCallsVerbsAndVariablesThatExist(t *testing.T) {
	t.Parallel()
	values := compose(t)
	bin := testkit.Build(t, "./cmd/reconciler")
	for service, verb := range map[string]string{"init": "init", "migrate": "migrate", "reconciler": "serve"} {
		if !strings.Contains(values["services."+service+".command"], verb) {
			t.Errorf("%s does not call %s", service, verb)
		}
		help, err := exec.Command(bin, verb, "-h").CombinedOutput()
		if err != nil {
			t.Fatalf("%s -h: %v\n%s", verb, err, help)
		}
		for path := range values {
			variable := path[strings.LastIndex(path, ".")+1:]
			shared := service == "reconciler" && strings.HasPrefix(path, "x-reconciler.environment.RECONCILER_")
			own := strings.HasPrefix(path, "services."+service+".environment.RECONCILER_")
			if (shared || own) && !strings.Contains(string(help), variable) {
				t.Errorf("%s does not read %s:\n%s", verb, variable, help)
			}
		}
	}
}

func TestComposeConfig(t *testing.T) {
	t.Parallel()
	if err := exec.Command("docker", "compose", "version").Run(); err != nil {
		t.Skip("no docker with the compose plugin on this machine")
	}
	cmd := exec.Command("docker", "compose", "config", "--quiet")
	cmd.Dir = testkit.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("docker compose config: %v\n%s", err, out)
	}
}
