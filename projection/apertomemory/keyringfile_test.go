package apertomemory

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"
	"testing"

	"consilience/projection"
	"consilience/reason"
)

func keyringFile(t testing.TB) string {
	b64 := func(digits string) string { return base64.RawURLEncoding.EncodeToString(fromDigits(t, digits)) }
	return `{"owner": "` + b64(ownerKey) + `",
 "accepted": [{"key_id": "d05309cbd3b55f3b", "public_key": "` + b64(authorKey) + `"}],
 "object_keys": [{"object_id": "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "key": "` + b64(dataKey) + `"}],
 "allow_unverified": false}`
}

// The file opens the published objects, and the documentation shows it.
func TestKeyringFile(t *testing.T) {
	if page, err := os.ReadFile("../../docs/projection.md"); err != nil || !strings.Contains(string(page), keyringFile(t)) {
		t.Error("docs/projection.md shows another keyring")
	}
	k, err := ParseKeyring([]byte(keyringFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := k.Open(vectors(t)["007-custody-attested"].object(t))
	if err != nil || f.Trust != projection.Trusted || f.Authorship != projection.Attested {
		t.Errorf("%+v, %v", f, err)
	}
}

// AP-12, AP-14, S-17: a keyring file is read strictly, and no refusal shows a key.
func TestHostileKeyringFiles(t *testing.T) {
	file := keyringFile(t)
	neutral := base64.RawURLEncoding.EncodeToString(append([]byte{1}, make([]byte, 31)...))
	owner := base64.RawURLEncoding.EncodeToString(fromDigits(t, ownerKey))
	author, data := base64.RawURLEncoding.EncodeToString(fromDigits(t, authorKey)), base64.RawURLEncoding.EncodeToString(fromDigits(t, dataKey))
	accepted := file[strings.Index(file, `[{"key_id"`) : strings.Index(file, "],\n \"object_keys\"")+1]
	objects := file[strings.Index(file, `[{"object_id"`) : strings.Index(file, "],\n \"allow_")+1]
	for what, c := range map[string]struct {
		old, new string
		want     reason.Code
	}{
		"other id":              {"d05309cbd3b55f3b", "d05309cbd3b55f3c", reason.KeyInvalid},
		"upper-case id":         {"d05309cbd3b55f3b", "D05309CBD3B55F3B", reason.Malformed},
		"id of 7 bytes":         {"d05309cbd3b55f3b", "d05309cbd3b55f", reason.Malformed},
		"small-order owner":     {owner, neutral, reason.KeyInvalid},
		"short owner":           {owner, owner[:42], reason.Malformed},
		"spare bits":            {owner, owner[:42] + "l", reason.Malformed},
		"line break in a key":   {owner, owner[:20] + `\n` + owner[20:], reason.Malformed},
		"member missing":        {`"allow_unverified"`, `"allow"`, reason.Malformed},
		"member twice":          {`"allow_unverified": false`, `"allow_unverified": false, "allow_unverified": true`, reason.ContentInvalid},
		"not a boolean":         {`false}`, `0}`, reason.Malformed},
		"accepted an object":    {`"accepted": [`, `"accepted": {"a": [`, reason.ContentInvalid},
		"accepted null":         {accepted, `null`, reason.Malformed},
		"two keys, one object":  {`"object_keys": [`, `"object_keys": [{"object_id": "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "key": "` + owner + `"}, `, reason.Malformed},
		"accepted not a list":   {accepted, `1`, reason.Malformed},
		"a key that is short":   {`"public_key": "`, `"public_key": "AA`, reason.Malformed},
		"an accepted number":    {`"accepted": [`, `"accepted": [1, `, reason.Malformed},
		"a member of an entry":  {`"key_id": "d05309cbd3b55f3b", `, ``, reason.Malformed},
		"small-order author":    {author, neutral, reason.KeyInvalid},
		"object id in capitals": {"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "A0a1a2a3a4a5a6a7a8a9aaabacadaeaf", reason.Malformed},
		"object id of 15":       {"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "a0a1a2a3a4a5a6a7a8a9aaabacadae", reason.Malformed},
		"object id a number":    {`"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"`, "1", reason.Malformed},
		"object key of 31":      {data, data[:41], reason.Malformed},
		"object key a number":   {`"` + data + `"`, "1", reason.Malformed},
		"object keys a text":    {objects, `""`, reason.Malformed},
		"an object key beside":  {`"key": "`, `"x": 1, "key": "`, reason.Malformed},
		"trailing bytes":        {`false}`, `false}}`, reason.ContentInvalid},
	} {
		if !strings.Contains(file, c.old) {
			t.Fatalf("%s: nothing to replace", what)
		}
		_, err := ParseKeyring([]byte(strings.Replace(file, c.old, c.new, 1)))
		if reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
		for _, secret := range []string{data, data[:12], dataKey} {
			if strings.Contains(fmt.Sprintf("%+v", err), secret) {
				t.Errorf("%s shows a data key", what)
			}
		}
	}
}
