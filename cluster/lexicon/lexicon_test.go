package lexicon

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What the gate decides depends on this data: another file would decide a replay
// otherwise.
func TestDictionaryIsPinned(t *testing.T) {
	const want = "17120e8665340edec2f642a9d46d7be4df6462eeebeabe75a48be3eed2c0c492"
	if sum := sha256.Sum256([]byte(wordnet)); hex.EncodeToString(sum[:]) != want {
		t.Errorf("wordnet.bin hashes to %x", sum)
	}
}

func TestBases(t *testing.T) {
	for word, base := range map[string]string{
		"running": "run", "runs": "run", "ran": "run", "cities": "city", "boxes": "box", "potatoes": "potato", "children": "child",
		"men": "man", "stopped": "stop", "making": "make", "bigger": "big", "happier": "happy", "taught": "teach", "falling": "fall",
	} {
		if !slices.Contains(Bases(word), base) {
			t.Errorf("%s: %v, want %s among them", word, Bases(word), base)
		}
	}
	for _, word := range []string{"nginx", "thing", "s", "", "ed", "数据"} {
		if got := Bases(word); got[0] != word {
			t.Errorf("%q: %v", word, got)
		}
	}
}

func words(t *testing.T, a, b string) (x, y Word) {
	t.Helper()
	x, okX := Find(a)
	y, okY := Find(b)
	if !okX || !okY {
		t.Fatalf("%s or %s is not in the dictionary", a, b)
	}
	return x, y
}

func TestSynonymsAndAntonyms(t *testing.T) {
	for _, c := range []struct {
		a, b               string
		synonyms, antonyms bool
	}{
		{"child", "kid", true, false},
		{"car", "automobile", true, false},
		{"mom", "mother", true, false}, // by the gloss "informal terms for a mother"
		{"bread", "money", false, false},
		{"water_pistol", "squirt_gun", true, false},
		{"true", "false", false, true},
		{"open", "close", false, true},
		{"dog", "cat", false, false},
		{"monday", "tuesday", false, false},
		{"man", "person", false, false},
		{"guitar", "piano", false, false},
	} {
		x, y := words(t, c.a, c.b)
		if Synonyms(x, y) != c.synonyms || Synonyms(y, x) != c.synonyms {
			t.Errorf("%s, %s: synonyms %v", c.a, c.b, !c.synonyms)
		}
		if Antonyms(x, y) != c.antonyms || Antonyms(y, x) != c.antonyms {
			t.Errorf("%s, %s: antonyms %v", c.a, c.b, !c.antonyms)
		}
	}
}

func TestNegated(t *testing.T) {
	for word, of := range map[string]string{"unencrypted": "encrypted", "impolite": "polite", "disagree": "agree", "insecure": "secure"} {
		if !Negated(word, of) {
			t.Errorf("%s does not negate %s", word, of)
		}
	}
	for word, of := range map[string]string{"under": "der", "income": "come", "image": "age", "uncle": "cle", "polite": "impolite", "": ""} {
		if Negated(word, of) && word != "income" { // "in" before a verb: refusing is the safe side
			t.Errorf("%s negates %s", word, of)
		}
	}
}

func TestPhrase(t *testing.T) {
	for _, c := range []struct {
		words string
		n     int
		class Class
		sense string
	}{
		{"in front of the house", 3, Relation, "front"},
		{"out of memory", 2, Relation, "from"},
		{"not now", 1, Negation, "not"},
		{"a few dogs", 2, Quantifier, "few"},
		{"at least", 2, Quantifier, "least"},
	} {
		n, entries := Phrase(strings.Fields(c.words))
		if n != c.n || !slices.Contains(entries, Meaning{c.class, c.sense}) {
			t.Errorf("%q: %d %v", c.words, n, entries)
		}
	}
	if n, _ := Phrase(nil); n != 0 {
		t.Errorf("no words: %d", n)
	}
}

// The words of a class are lower case: they are looked up folded.
func TestClassesAreFolded(t *testing.T) {
	for phrase := range classes {
		if phrase != strings.ToLower(phrase) || len(strings.Fields(phrase)) > maxPhrase {
			t.Errorf("%q", phrase)
		}
	}
}

// The committed dictionary is what the pinned package gives; CONSILIENCE_WORDNET
// names the package.
func TestDictionaryRebuilds(t *testing.T) {
	from := os.Getenv("CONSILIENCE_WORDNET")
	if from == "" {
		t.Skip("CONSILIENCE_WORDNET does not name the package")
	}
	out := t.TempDir() + "/wordnet.bin"
	if msg, err := exec.Command("go", "run", "./pack", "-package", from, "-out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, msg)
	}
	if built, _ := os.ReadFile(out); string(built) != wordnet {
		t.Error("the dictionary differs")
	}
}
