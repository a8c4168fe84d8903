package cli

import (
	"encoding/json"
	"os"
	"path/filepath"

	"consilience/reason"
)

// Endpoints is DIR/endpoints.json: all that a command needs to reach a dev store.
type Endpoints struct {
	NATS        string `json:"nats"`
	Postgres    string `json:"postgres"`
	HTTP        string `json:"http"`
	OperatorKey string `json:"operator_key"` // path of a private key file
	ServiceKey  string `json:"service_key"`  // path of a private key file
	Store       string `json:"store"`        // store id, 43 characters
}

const endpointsFile = "endpoints.json"

// DefaultDir is the folder of the default dev store, ~/.consilience/dev.
func DefaultDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = os.TempDir()
	}
	return filepath.Join(home, ".consilience", "dev")
}

// ReadEndpoints reads DIR/endpoints.json. It returns [reason.Unreachable] when
// no store runs there.
func ReadEndpoints(dir string) (Endpoints, error) {
	var e Endpoints
	b, err := os.ReadFile(filepath.Join(dir, endpointsFile))
	if err != nil {
		return e, reason.New(reason.Unreachable, "no running dev store").On(dir).
			Advise("start one with: reconciler dev --dir %s", dir)
	}
	if err := json.Unmarshal(b, &e); err != nil {
		return e, reason.Wrap(reason.UsageError, err, "endpoints.json does not read").On(dir)
	}
	return e, nil
}

// Nowhere is the error of a command that was told of no store where the default dev
// store does not run. flags are those that name another.
func Nowhere(flags string) error {
	return reason.New(reason.Unreachable, "no store is named and no dev store runs in %s", DefaultDir()).
		Advise("name one with --dir, or with %s, or start one: reconciler dev", flags)
}

// Gone says of a store that does not answer that it is the dev store of dir, which was
// killed: it left its endpoints. dir is "" for a store that was named otherwise.
func Gone(dir string, err error) error {
	if dir == "" || reason.Of(err) != reason.Unreachable {
		return err
	}
	return reason.Wrap(reason.Unreachable, err, "the dev store does not answer; it ended without a word").On(dir).
		Advise("start it again with: reconciler dev --dir %s", dir)
}

// Write stores e as DIR/endpoints.json, whole or not at all, mode 0600.
func (e Endpoints) Write(dir string) error {
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, endpointsFile+".new")
	if err := os.WriteFile(tmp, append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(dir, endpointsFile))
}

// RemoveEndpoints takes DIR/endpoints.json away: the store has stopped.
func RemoveEndpoints(dir string) { _ = os.Remove(filepath.Join(dir, endpointsFile)) }
