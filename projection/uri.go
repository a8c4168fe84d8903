package projection

import (
	"net/netip"
	"strings"
)

// absoluteURI reports whether s is a URI with a scheme (RFC 3986 section 3) of at
// most MaxURI bytes. It is compared byte for byte and never normalised.
func absoluteURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || len(s) > MaxURI || !isScheme(scheme) {
		return false
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	path, ok := cutAuthority(rest)
	return ok && spelled(path, pathBytes) && spelled(query, queryBytes) && spelled(fragment, queryBytes)
}

// The bytes that may stand unescaped in each part (RFC 3986 appendix A).
const (
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	subDelims  = "!$&'()*+,;="
	nameBytes  = unreserved + subDelims
	userBytes  = nameBytes + ":"
	pathBytes  = nameBytes + ":@/"
	queryBytes = pathBytes + "?"
	schemeRest = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-."
	digits     = "0123456789"
	hexDigits  = "0123456789ABCDEFabcdef"
)

func isScheme(s string) bool {
	return s != "" && only(s, schemeRest) && !isDigit(s[0]) && !strings.Contains("+-.", s[:1])
}

func only(s, bytes string) bool { return strings.Trim(s, bytes) == "" }

// spelled reports whether s consists of allowed bytes and percent-encoded octets.
func spelled(s, allowed string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if i+2 >= len(s) || !only(s[i+1:i+3], hexDigits) {
				return false
			}
			i += 2
		} else if strings.IndexByte(allowed, s[i]) < 0 {
			return false
		}
	}
	return true
}

// cutAuthority checks the authority, if there is one, and returns the path.
func cutAuthority(s string) (path string, ok bool) {
	authority, ok := strings.CutPrefix(s, "//")
	if !ok {
		return s, s != ""
	}
	if i := strings.IndexByte(authority, '/'); i >= 0 {
		authority, path = authority[:i], authority[i:]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		if !spelled(authority[:i], userBytes) {
			return "", false
		}
		authority = authority[i+1:]
	}
	host, port := cutPort(authority)
	return path, only(port, digits) && isHost(host)
}

func cutPort(s string) (host, port string) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 || strings.HasSuffix(s, "]") {
		return s, ""
	}
	return s[:i], s[i+1:]
}

// isHost checks a registered name, an IPv4 address, which has the form of one, or
// a bracketed IPv6 address or later form.
func isHost(s string) bool {
	if !strings.HasPrefix(s, "[") {
		return spelled(s, nameBytes)
	}
	literal, ok := strings.CutSuffix(s[1:], "]")
	if !ok {
		return false
	}
	if strings.HasPrefix(literal, "v") || strings.HasPrefix(literal, "V") {
		version, rest, ok := strings.Cut(literal[1:], ".")
		return ok && version != "" && only(version, hexDigits) && rest != "" && only(rest, userBytes)
	}
	a, err := netip.ParseAddr(literal)
	return err == nil && a.Is6() && a.Zone() == ""
}
