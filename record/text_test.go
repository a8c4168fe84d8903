package record

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"consilience/reason"
)

// N-22, N-26: the form's name says 15.0. When a toolchain brings other tables this
// test asks for a decision; texts of assigned code points keep their form by
// Unicode's stability policy.
func TestUnicodeVersion(t *testing.T) {
	if norm.Version != "15.0.0" {
		t.Errorf("normalisation follows Unicode %s; the form is %s", norm.Version, FormText)
	}
}

func TestAssignedTable(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the standard library follows Unicode %s", unicode.Version)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(assigned, r) == unicode.Is(unicode.Cn, r) {
			t.Fatalf("%U: assigned %v", r, unicode.Is(assigned, r))
		}
		if r < alwaysAssigned && !unicode.Is(assigned, r) {
			t.Fatalf("%U is below %U and not assigned", r, alwaysAssigned)
		}
	}
}

// N-23: every row of NormalizationTest, and every assigned code point that its
// first part does not list is its own normal form.
func TestNormalizationTest(t *testing.T) {
	file, err := os.Open(shared(t, "vectors/unicode-normalization/NormalizationTest-15.0.0.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, part, listed := 0, "", map[rune]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.HasPrefix(line, "@") {
			part = strings.TrimSpace(line)
		}
		if c := columns(t, line); len(c) == 5 {
			rows++
			checkRow(t, c)
			if part == "@Part1" {
				listed[[]rune(c[0])[0]] = true
			}
		}
	}
	if rows != 19_074 {
		t.Errorf("%d rows", rows)
	}
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if unicode.Is(assigned, r) && !unicode.Is(unicode.Cs, r) && !listed[r] {
			if err := CheckCanonical(Text, []byte(string(r)), Limits{}); err != nil {
				t.Fatalf("%U: %v", r, err)
			}
		}
	}
}

// columns decodes one row into its five texts.
func columns(t *testing.T, line string) (texts []string) {
	fields := strings.Split(line, ";")
	if len(fields) < 5 {
		return nil
	}
	for _, field := range fields[:5] {
		var text strings.Builder
		for _, hex := range strings.Fields(field) {
			r, err := strconv.ParseUint(hex, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			text.WriteRune(rune(r))
		}
		texts = append(texts, text.String())
	}
	return texts
}

// checkRow holds the invariants of NFC that the file's header gives.
func checkRow(t *testing.T, c []string) {
	for i, want := range []string{c[1], c[1], c[1], c[3], c[3]} {
		got, err := Canonical(Text, []byte(c[i]))
		if err != nil || string(got) != want {
			t.Errorf("%+q: got %+q, want %+q, %v", c[i], got, want, err)
		}
		if canonical := CheckCanonical(Text, []byte(c[i]), Limits{}) == nil; canonical != (c[i] == want) {
			t.Errorf("%+q: passes as canonical: %v", c[i], canonical)
		}
	}
}

// N-23, AN-3: what no text may hold, in text and in the strings of JSON.
func TestRefusedCharacters(t *testing.T) {
	marks := strings.Repeat("\u0301", 31)
	for name, text := range map[string]string{
		"invalid UTF-8":             "a\xff",
		"cut short":                 "a\xe2\x82",
		"surrogate":                 "\xed\xa0\x80",
		"overlong":                  "\xc0\xaf",
		"U+0000":                    "a\x00b",
		"unassigned, basic plane":   "\u0378",
		"assigned in 15.1":          "\u2ffc",
		"assigned in 16.0":          "\U0001fae9",
		"noncharacter":              "\ufffe",
		"31 marks":                  "a" + marks,
		"31 marks at the start":     marks,
		"31 marks of other classes": "a" + strings.Repeat("\u0323\u0301", 15) + "\u0301",
		"29 marks on one with two":  "\u01d8" + marks[:2*29],
	} {
		if _, err := Canonical(Text, []byte(text)); reason.Of(err) != reason.ContentInvalid {
			t.Errorf("%s, made canonical: %v", name, err)
		}
		if err := CheckCanonical(Text, []byte(text), Limits{}); reason.Of(err) != reason.ContentInvalid {
			t.Errorf("%s: %v", name, err)
		}
		if err := CheckCanonical(Structured, []byte(`"`+text+`"`), Limits{}); reason.Of(err) != reason.ContentInvalid {
			t.Errorf("%s, in JSON: %v", name, err)
		}
		if _, err := Canonical(Structured, []byte(`"`+text+`"`)); reason.Of(err) != reason.ContentInvalid {
			t.Errorf("%s, in JSON, made canonical: %v", name, err)
		}
	}
}

func TestAdmittedCharacters(t *testing.T) {
	for name, text := range map[string]string{
		"empty":                   "",
		"assigned in 15.0":        "\U0001fae8",
		"private use":             "\ue000",
		"controls and line ends":  "\t\r\n\x1b\u2028",
		"30 marks":                "a" + strings.Repeat("\u0301", 30),
		"30 marks twice":          "a" + strings.Repeat("\u0301", 30) + "\u034f" + strings.Repeat("\u0301", 30),
		"byte order mark in text": "\ufeffa",
		"replacement character":   "\ufffd",
	} {
		if _, err := Canonical(Text, []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The count of marks is that of the decomposed text, so that a text is judged
// like every text it is equivalent to.
func TestEquivalentTextsAreJudgedAlike(t *testing.T) {
	letters := []rune("a\u0301\u0323\u0344\u01d8\u0390\u1e69\uac00\u1100\u1161\u0345\u1fa2 ")
	r := rand.New(rand.NewPCG(15, 0))
	for range 20_000 {
		text := make([]rune, r.IntN(40))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
			if r.IntN(3) > 0 {
				text[i] = '\u0301'
			}
		}
		decomposed := reference(text)
		_, errText := Canonical(Text, []byte(string(text)))
		_, errDecomposed := Canonical(Text, []byte(string(decomposed)))
		if long := longestRun(decomposed) > maxMarks; long != (errText != nil) || long != (errDecomposed != nil) {
			t.Fatalf("%+q: run %d, %v, %v", string(text), longestRun(decomposed), errText, errDecomposed)
		}
	}
}

// reference decomposes code point by code point, without order, which the length
// of a run does not depend on.
func reference(text []rune) (decomposed []rune) {
	for _, r := range text {
		decomposed = append(decomposed, []rune(norm.NFD.String(string(r)))...)
	}
	return decomposed
}

func longestRun(text []rune) (longest int) {
	run := 0
	for _, r := range text {
		if run++; norm.NFD.PropertiesString(string(r)).CCC() == 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// The canonical form is a fixed point and the check agrees with it, for every kind.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"", "a\u030a", "\u00e5", `{"b":1.0,"a":"\u0061"}`, `{"a":1}`, "\x00\xff", "\u01d8" + strings.Repeat("\u0301", 29)} {
		for kind := range kinds {
			f.Add(uint8(kind), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		k := Kind(kind % uint8(len(kinds)))
		canonical, err := Canonical(k, content)
		is := CheckCanonical(k, content, Limits{}) == nil
		if err != nil {
			if is {
				t.Fatalf("%s %q passes and has no canonical form: %v", k, content, err)
			}
			return
		}
		if is != bytes.Equal(canonical, content) {
			t.Fatalf("%s %q: canonical %q, passes %v", k, content, canonical, is)
		}
		again, err := Canonical(k, canonical)
		if err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%s %q: canonical %q, again %q, %v", k, content, canonical, again, err)
		}
		if err := CheckCanonical(k, canonical, Limits{}); err != nil {
			t.Fatalf("%s %q: canonical %q is refused: %v", k, content, canonical, err)
		}
	})
}
