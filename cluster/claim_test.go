package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"consilience/record"
)

// read canonicalises a structured content and reads it as a claim.
func read(t testing.TB, content string) (Claim, bool) {
	t.Helper()
	canonical, err := record.Canonical(record.Structured, []byte(content))
	if err != nil {
		t.Fatalf("%s: %v", content, err)
	}
	return ClaimOf(record.Structured, canonical)
}

// Q18, merge.md "Which item a record joins", rule 2: what a claim is.
func TestWhatIsAClaim(t *testing.T) {
	for content, want := range map[string]bool{
		`{"subject":"s","predicate":"p","value":1}`:                   true,
		`{"subject":"s","predicate":"p","value":null}`:                true,
		`{"subject":"s","predicate":"p","value":{"subject":"x"}}`:     true,
		`{"subject":"","predicate":"","value":""}`:                    true,
		`{"subject":"s","predicate":"p","value":1,"scope":"x"}`:       true,
		`{"\u0073ubject":"s","predicate":"p","value":1}`:              true,
		`{"subject":"s","predicate":"p"}`:                             false,
		`{"subject":"s","value":1}`:                                   false,
		`{"predicate":"p","value":1}`:                                 false,
		`{"subject":"s","predicate":"p","scope":"x"}`:                 false,
		`{"subject":"s","scope":"x","value":1}`:                       false,
		`{"subject":"s","predicate":"p","value":1,"note":"x"}`:        false,
		`{"subject":"s","predicate":"p","value":1,"Scope":"x"}`:       false,
		`{"subject":1,"predicate":"p","value":1}`:                     false,
		`{"subject":["s"],"predicate":"p","value":1}`:                 false,
		`{"subject":"s","predicate":null,"value":1}`:                  false,
		`{"subject":"s","predicate":"p","value":1,"scope":null}`:      false,
		`{"subject":"s","predicate":"p","value":1,"scope":{"a":"b"}}`: false,
		`[{"subject":"s","predicate":"p","value":1}]`:                 false,
		`"subject predicate value"`:                                   false,
		`null`:                                                        false,
		`{}`:                                                          false,
	} {
		if _, got := read(t, content); got != want {
			t.Errorf("%s: got %v", content, got)
		}
	}
	for _, kind := range []record.Kind{record.Text, record.Binary} {
		if _, ok := ClaimOf(kind, []byte(`{"predicate":"p","subject":"s","value":1}`)); ok {
			t.Errorf("%s content is a claim", kind)
		}
	}
}

// Q18: parts that fold alike are one key, an absent scope is an empty one, and
// values are compared by their canonical form only.
func TestKeys(t *testing.T) {
	want, _ := read(t, `{"subject":"Straße 5","predicate":"is OPEN","value":"Yes"}`)
	for content, same := range map[string]bool{
		`{"subject":"STRASSE 5","predicate":"Is open","value":"yes"}`:                   true,
		`{"subject":" \t\u00a0\u3000\u001cstraße 5\n","predicate":"is open","value":1}`: true,
		`{"subject":"straße 5","predicate":"is open","scope":" ","value":1}`:            true,
		`{"subject":"straße  5","predicate":"is open","value":1}`:                       false,
		`{"subject":"\u200bstraße 5","predicate":"is open","value":1}`:                  false,
		`{"subject":"is open","predicate":"straße 5","value":1}`:                        false,
		`{"subject":"straße 5","predicate":"is open","scope":"x","value":1}`:            false,
		`{"subject":"straße 5is open","predicate":"","value":1}`:                        false,
	} {
		got, ok := read(t, content)
		if !ok || (got.KeyHash == want.KeyHash) != same {
			t.Errorf("%s: same key %v", content, got.KeyHash == want.KeyHash)
		}
		if got.KeyHash != KeyHash(got.Subject, got.Predicate, got.Scope) {
			t.Errorf("%s: the key hash is not that of the parts", content)
		}
	}
	if want.Subject != "strasse 5" || want.Predicate != "is open" || want.Scope != "" || string(want.Value) != `"Yes"` {
		t.Errorf("got %+v", want)
	}
	one, _ := read(t, `{"subject":"s","predicate":"p","value":1.0}`)
	two, _ := read(t, `{"subject":"s","predicate":"p","value":1}`)
	text, _ := read(t, `{"subject":"s","predicate":"p","value":"1"}`)
	if one.ValueHash != two.ValueHash || one.ValueHash == text.ValueHash {
		t.Error("values are not compared by their canonical form")
	}
}

// Q18: folding is done between two normalisations, and trimming comes last.
func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		" ":                  "",
		"a\u030a":            "\u00e5",
		"\u212b":             "\u00e5", // ANGSTROM SIGN
		"\u017f":             "s",
		"\u212a":             "k",
		"\u1e9e":             "ss",
		"\ufb03":             "ffi",
		"\u0130":             "i\u0307", // not the Turkic folding
		"I":                  "i",
		"\u03a3\u03c2":       "\u03c3\u03c3", // final sigma
		"\u13a0\uab70\u13f8": "\u13a0\u13a0\u13f0",
		"\u0390":             "\u0390", // folds to three, which compose again
		"\u1fb7":             "\u1fb6\u03b9",
		"\u0345\u0301":       "\u0301\u03b9", // reordered before it folds
		"\u2003x\u2029":      "x",
		"\u180ex":            "\u180ex", // no white space since Unicode 6.3
		" \u0301x":           "\u0301x",
		"\u00c5B\U0001e900":  "\u00e5b\U0001e922",
	} {
		if got := fold(in); got != want {
			t.Errorf("%+q: got %+q, want %+q", in, got, want)
		}
	}
}

// White_Space is a stable property; the four separators are named beside it.
func TestSpaces(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if want := unicode.Is(unicode.White_Space, r) || 0x1C <= r && r <= 0x1F; isSpace(r) != want {
			t.Errorf("%U: got %v", r, isSpace(r))
		}
	}
}

// words are random texts of what folding, composing and trimming act on, all of
// them in Unicode 14.0, which the reference's Python knows.
func words(n int) []string {
	r := rand.New(rand.NewPCG(18, 15))
	var special []rune
	for _, f := range foldStrings {
		special = append(special, f.from)
	}
	for _, f := range foldRanges {
		special = append(special, f.lo, f.hi, f.lo+f.delta)
	}
	special = append(special, []rune("aAzZ09 \t\n\u001c\u001f\u0085\u00a0\u2028\u3000\u200b\u0301\u0308\u030a\u0323\u0345\u0313\u0307\u034f\uac00\u1100\u1161\u11a8\u4e00\U0001d15e")...)
	texts := make([]string, n)
	for i := range texts {
		text := make([]rune, r.IntN(8))
		for k := range text {
			text[k] = special[r.IntN(len(special))]
			if r.IntN(3) == 0 {
				text[k] = special[len(special)-1-r.IntN(30)]
			}
		}
		texts[i] = string(text)
	}
	return texts
}

// The reference of the merge folds every part alike.
func TestFoldAgainstReference(t *testing.T) {
	oracle := filepath.Dir(shared(t, "oracle/merge_oracle.py"))
	texts := words(20_000)
	var answers []string
	ask(t, oracle, `json.dump([merge_oracle.norm(x) for x in json.load(sys.stdin)], sys.stdout)`, texts, &answers)
	for i, text := range texts {
		if got := fold(text); got != answers[i] {
			t.Fatalf("%+q: got %+q, the reference %+q", text, got, answers[i])
		}
	}
}

// And it finds the same contents to be claims with the same keys and values.
func TestClaimsAgainstReference(t *testing.T) {
	oracle := filepath.Dir(shared(t, "oracle/merge_oracle.py"))
	contents := randomObjects(words(4_000))
	type answer struct {
		Key   []string
		Value *string
	}
	var answers []answer
	ask(t, oracle, `json.dump([dict(zip(("Key", "Value"), merge_oracle.claim("structured", x))) for x in json.load(sys.stdin)], sys.stdout)`, contents, &answers)
	claims, same := 0, map[string]string{}
	for i, content := range contents {
		got, ok := read(t, content)
		want := answers[i]
		if ok != (want.Key != nil) || ok && strings.Join([]string{got.Subject, got.Predicate, got.Scope}, "\x00") != strings.Join(want.Key, "\x00") {
			t.Fatalf("%s: got %+v, %v, the reference %+q", content, got, ok, want.Key)
		}
		if !ok {
			continue
		}
		claims++
		if other, seen := same[*want.Value]; seen && other != string(got.Value) {
			t.Fatalf("%s: values %s and %s are equal for the reference", content, other, got.Value)
		}
		same[*want.Value] = string(got.Value)
	}
	if claims < len(contents)/4 || claims == len(contents) {
		t.Errorf("%d of %d are claims", claims, len(contents))
	}
}

// randomObjects makes contents that are claims, or nearly.
func randomObjects(texts []string) (contents []string) {
	r := rand.New(rand.NewPCG(2, 3))
	quote := func() string {
		data, _ := json.Marshal(texts[r.IntN(len(texts))])
		return string(data)
	}
	for range texts {
		members := []string{`"subject":` + quote(), `"predicate":` + quote(), fmt.Sprintf(`"value":%d`, r.IntN(9))}
		switch r.IntN(8) {
		case 0, 1, 2:
			members = append(members, `"scope":`+quote())
		case 3:
			members[2] = `"value":` + quote()
		case 4:
			members = members[1:]
		case 5:
			members = append(members, `"other":1`)
		case 6:
			members[r.IntN(2)] = []string{`"subject":1`, `"predicate":null`}[r.IntN(2)]
		}
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		if content := "{" + strings.Join(members, ", ") + "}"; json.Valid([]byte(content)) && !twice(content) {
			contents = append(contents, content)
		}
	}
	return contents
}

// twice reports whether a member that matters occurs twice.
func twice(content string) bool {
	return strings.Count(content, `"subject":`) > 1 || strings.Count(content, `"predicate":`) > 1
}

// ask runs an expression of the reference over JSON; the test skips without Python.
func ask(t *testing.T, oracle, expression string, in, out any) {
	t.Helper()
	question, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	python := exec.Command("python3", "-c", "import json, sys; sys.path.insert(0, sys.argv[1]); import merge_oracle\n"+expression, oracle)
	python.Env = append(python.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	python.Stdin = bytes.NewReader(question)
	answer, err := python.Output()
	if err != nil {
		t.Skipf("the reference does not run here: %v", err)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatal(err)
	}
}

// A claim's parts are normal and folded once and for all, its value is a part of
// its content, and no content makes ClaimOf panic.
func FuzzClaim(f *testing.F) {
	f.Add([]byte(`{"predicate":"p","scope":"\u001c","subject":"Straße","value":{"a":[1]}}`))
	f.Add([]byte(`{"predicate":"p","subject":"`))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, ok := ClaimOf(record.Structured, content)
		if record.CheckCanonical(record.Structured, content, record.Limits{}) != nil || !ok {
			return
		}
		for _, part := range []string{c.Subject, c.Predicate, c.Scope} {
			if again := fold(part); again != part || !norm.NFC.IsNormalString(part) {
				t.Fatalf("%q: %+q folds to %+q", content, part, again)
			}
		}
		if !bytes.Contains(content, c.Value) || record.CheckCanonical(record.Structured, c.Value, record.Limits{}) != nil {
			t.Fatalf("%q: value %q", content, c.Value)
		}
	})
}

func BenchmarkClaimOf(b *testing.B) {
	for name, subject := range map[string]string{"ascii": "Flight-1208", "other": "Zürich Straße"} {
		canonical, err := record.Canonical(record.Structured, []byte(`{"subject":"`+subject+`","predicate":"departure","scope":"2026-11-30","value":{"gate":"B 12","time":"14:35"}}`))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := ClaimOf(record.Structured, canonical); !ok {
					b.Fatal("no claim")
				}
			}
		})
	}
}
