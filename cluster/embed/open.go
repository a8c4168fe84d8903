package embed

import (
	"strconv"
	"strings"

	"consilience/cluster/embed/static"
	"consilience/reason"
)

// remotePrefix begins the name of a model behind an endpoint:
// "openai:MODEL@DIMS", with the path and name that the endpoint knows it by.
const remotePrefix = "openai:"

// Open returns the embedder that a policy names: nil for [None], the built-in one
// for [static.Name], one behind the endpoint of o for "openai:MODEL@DIMS". A name
// that this build does not know is refused with [reason.PolicyInvalid].
func Open(name string, o Options) (Embedder, error) {
	switch {
	case name == None || name == "":
		return nil, nil
	case name == static.Name:
		return static.New(), nil
	case strings.HasPrefix(name, remotePrefix):
		model, dims, err := parseRemote(name)
		if err != nil {
			return nil, err
		}
		return NewRemote(model, dims, o)
	}
	return nil, reason.New(reason.PolicyInvalid, "no such embedder").On(name).
		Advise("use %s, %s or %sMODEL@DIMS", None, static.Name, remotePrefix)
}

func parseRemote(name string) (model string, dims int, err error) {
	at := strings.LastIndexByte(name, '@')
	if at > len(remotePrefix) {
		dims, _ = strconv.Atoi(name[at+1:])
	}
	if dims < 1 {
		return "", 0, reason.New(reason.PolicyInvalid, "the name of a remote model ends in @DIMS").On(name)
	}
	return name[len(remotePrefix):at], dims, nil
}
