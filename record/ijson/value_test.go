package ijson

import (
	"slices"
	"testing"

	"consilience/reason"
)

func parse(t *testing.T, document string) Value {
	t.Helper()
	v, err := Parse([]byte(document), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestFieldsOfAClosedObject(t *testing.T) {
	required, optional := []string{"a", "b"}, []string{"c"}
	for document, want := range map[string]reason.Code{
		`{"a":1,"b":2}`:                     ok,
		` { "b" : [{}] , "a" : "}" } `:      ok,
		`{"c":null,"a":1,"b":2}`:            ok,
		`{"\u0061":1,"b":2}`:                ok,
		`{"a":1}`:                           reason.Malformed,
		`{"a":1,"b":2,"d":3}`:               reason.Malformed,
		`{"A":1,"a":1,"b":2}`:               reason.Malformed,
		`{"a":1,"b":2,"b ":3}`:              reason.Malformed,
		"{\"a\":1,\"b\":2,\"\u212a\":3}":    reason.Malformed,
		`[]`:                                reason.Malformed,
		`null`:                              reason.Malformed,
		`"a"`:                               reason.Malformed,
		`{}`:                                reason.Malformed,
		`{"a":1,"b":2,"c":{"a":1,"d":"d"}}`: ok,
	} {
		if _, err := parse(t, document).Fields(required, optional...); reason.Of(err) != want {
			t.Errorf("%s: got %v, want %q", document, err, want)
		}
	}
}

func TestUintIsLexical(t *testing.T) {
	for document, want := range map[string]bool{
		`0`: true, `7`: true, `9007199254740991`: true,
		`-0`: false, `-1`: false, `0.0`: false, `1.0`: false, `1e0`: false, `"1"`: false, `null`: false,
	} {
		if _, ok := parse(t, document).Uint(); ok != want {
			t.Errorf("%s: got %v", document, ok)
		}
	}
}

func TestValueReadsBack(t *testing.T) {
	v := parse(t, ` {"list" : [ 1, "\u0061\ud83d\ude02\n" , [true,{}] ,false], "z":null} `)
	var names []string
	var kinds []Kind
	for name, member := range v.Members() {
		names = append(names, name)
		kinds = append(kinds, member.Kind())
		for element := range member.Elements() {
			kinds = append(kinds, element.Kind())
			if text, ok := element.Text(); ok && text != "a\U0001f602\n" {
				t.Errorf("text is %q", text)
			}
			if value, ok := element.Bool(); ok && value {
				t.Error("false reads as true")
			}
		}
	}
	if !slices.Equal(names, []string{"list", "z"}) {
		t.Errorf("names are %q", names)
	}
	if !slices.Equal(kinds, []Kind{Array, Number, Text, Array, Bool, Null}) {
		t.Errorf("kinds are %v", kinds)
	}
	if n := Nesting([]byte(`{"a":["[{",[]]}`)); n != 3 {
		t.Errorf("nesting is %d", n)
	}
}
