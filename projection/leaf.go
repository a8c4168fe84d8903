package projection

import (
	"slices"

	"consilience/reason"
)

// The readers of single values. Each returns a function for a [member]; on a
// fault the walker holds the refusal.

func closed(members ...member) func(*walker) bool {
	return func(w *walker) bool { return w.object(members) }
}

func name(to *string) func(*walker) bool { return plain(to, MaxName) }

// adapterID may be as long as a URI, which the published schema wants it to be; the
// draft does not, and it counts only if it equals a pinned one.
func adapterID(to *string) func(*walker) bool { return plain(to, MaxURI) }

func plain(to *string, limit int) func(*walker) bool {
	return func(w *walker) bool {
		s, ok := w.text()
		*to = s
		return ok && (plainName(s, limit) || w.fail("a name without control characters, not empty and not too long, expected"))
	}
}

func uri(to *string) func(*walker) bool {
	return func(w *walker) bool {
		s, ok := w.text()
		*to = s
		return ok && (absoluteURI(s) || w.fail("an absolute URI expected"))
	}
}

func timestamp(to *Timestamp) func(*walker) bool {
	return func(w *walker) (ok bool) {
		s, ok := w.text()
		if !ok {
			return false
		}
		*to, ok = ParseTimestamp(s)
		return ok || w.fail("an RFC 3339 timestamp in UTC expected")
	}
}

func digest(to *Digest) func(*walker) bool {
	return func(w *walker) (ok bool) {
		s, ok := w.text()
		if !ok {
			return false
		}
		*to, ok = ParseDigest(s)
		return ok || w.fail("sha256: and 64 lower-case hex digits expected")
	}
}

func integer(to *int64, least int64) func(*walker) bool {
	return func(w *walker) (ok bool) {
		*to, ok = w.integer(least)
		return ok
	}
}

func boolean(to *bool) func(*walker) bool {
	return func(w *walker) (ok bool) {
		*to, ok = w.boolean()
		return ok
	}
}

func is(to *string, want string) func(*walker) bool {
	return func(w *walker) bool { return w.constant(to, want, w.code) }
}

// constant reads a string that has one legal value.
func (w *walker) constant(to *string, want string, code reason.Code) bool {
	s, ok := w.text()
	*to = s
	return ok && (s == want || w.failAs(code, "only "+want+" is defined"))
}

func oneOf[T ~string](to *T, values ...T) func(*walker) bool {
	return func(w *walker) bool {
		s, ok := w.text()
		*to = T(s)
		return ok && (slices.Contains(values, *to) || w.fail("not one of the defined values"))
	}
}

// authorKey reads null or canonical base64url of at least one byte.
func authorKey(to *AuthorKey) func(*walker) bool {
	return func(w *walker) bool {
		if w.take("null") {
			return true
		}
		s, ok := w.text()
		if !ok {
			return false
		}
		*to = AuthorKey(s)
		return len(s) <= MaxName && to.Bytes() != nil || w.fail("null or unpadded base64url expected")
	}
}

func signature(to *[64]byte) func(*walker) bool {
	return func(w *walker) bool {
		s, ok := w.text()
		if !ok {
			return false
		}
		b, ok := decodeB64U(s)
		if !ok || len(b) != len(to) {
			return w.fail("64 bytes in unpadded base64url expected")
		}
		copy(to[:], b)
		return true
	}
}
