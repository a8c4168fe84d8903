package embedded

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nkeys"

	"consilience/identity"
	"consilience/reason"
)

// UserBlock is the entry of deploy/contributors.conf that lets the holder of key in
// as c, with the permissions that it has at the server in process.
func UserBlock(key identity.PublicKey, c Client) (string, error) {
	nkey, err := nkeys.Encode(nkeys.PrefixByteUser, key[:])
	if err != nil {
		return "", reason.Wrap(reason.KeyInvalid, err, "key has no form for NATS")
	}
	p := permissions(c)
	const block = `  {
    nkey: %s
    permissions: {
      publish: { allow: [%s] }
      subscribe: { allow: [%s] }
    }
  }
`
	return fmt.Sprintf(block, nkey, quoted(p.Publish.Allow), quoted(p.Subscribe.Allow)), nil
}

func quoted(subjects []string) string {
	var all []string
	for _, s := range subjects {
		all = append(all, strconv.Quote(s))
	}
	return strings.Join(all, ", ")
}
