package recall

import (
	"slices"
	"strings"
	"testing"

	"consilience/record"
)

func TestWordsOf(t *testing.T) {
	for text, want := range map[string]string{
		"The valve opens at 3 bar.":      "the valve opens at 3 bar",
		"payments-db: 10.0.0.1":          "payments db 10 0 1",
		"Ｆｕｌｌ　ｗｉｄｔｈ":                     "full width",
		"caf\u00e9 cafe\u0301":           "caf\u00e9",
		"\u5f01\u304c\u958b\u304f valve": "\u5f01 \u304c \u958b \u304f valve",
		"  \n!?":                         "", "": "",
	} {
		if got := strings.Join(wordsOf(text, 99), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := len(wordsOf(strings.Repeat("a b c ", 9), 2)); got != 2 {
		t.Errorf("%d words", got)
	}
}

// No word of one space is found in another, and a claim's member names are no words.
func TestWordsAreOfASpace(t *testing.T) {
	content := []byte(`{"predicate":"port","subject":"db","value":5432}`)
	one, two := Words(1, record.Structured, content), Words(2, record.Structured, content)
	if len(one) != 3 || slices.ContainsFunc(one, func(w int64) bool { return slices.Contains(two, w) }) {
		t.Errorf("%v %v", one, two)
	}
	if !subset(one, asked(1, "PORT of... db 5432")) {
		t.Errorf("a query does not hold the words of the claim")
	}
	if got := Words(1, record.Structured, []byte(`{"subject":"db"}`)); len(got) != 2 {
		t.Errorf("%d words of what is no claim", len(got))
	}
}

func subset(a, b []int64) bool {
	return !slices.ContainsFunc(a, func(w int64) bool { return !slices.Contains(b, w) })
}

func FuzzWords(f *testing.F) {
	f.Add("The valve \u5f01 opens", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		words := wordsOf(text, most)
		if len(words) > max(0, most) {
			t.Fatalf("%d words of at most %d", len(words), most)
		}
		for _, w := range words {
			if again := wordsOf(w, 9); len(again) != 1 || again[0] != w {
				t.Fatalf("%q becomes %q", w, again)
			}
		}
	})
}
