package cluster

import (
	"strings"
	"testing"
)

// The gate's refusals (merge.md, "Which item a record joins"), one pair and its
// verdict a line.
var verdicts = []struct{ a, b, want string }{
	{"web-01 runs nginx 1.25.3", "web-01 is running nginx version 1.25.3.", Join},
	{"The staging database listens on port 5432.", "the staging db listens on port 5432", Join},
	{"A man is playing a guitar.", "A guitar is being played by a man.", Join},
	{"The tree was picked up by a man in a hat.", "A man in a hat picked up the tree.", CheckTense},
	{"The wall is painted by the man in the hat", "The man in the hat paints the wall", Join},
	{"The lens of the camera is dirty", "The camera's lens is dirty", Join},
	{"A dog, which is small, is running", "A small dog is running", Join},
	{"cats and dogs are sleeping", "dogs and cats are sleeping", Join},
	{"A frog is being held carelessly by a man", "A man is carelessly holding a frog", Join},
	{"The ball is being thrown by a man with a cap at a game", "A man with a cap is throwing the ball at a game", Join},
	{"The motor is quickly starting", "The engine is starting quickly", CheckSubstitution},
	{"The children are sleeping", "The kids are sleeping", Join},
	{"It is not impolite.", "It is polite.", Join},
	{"Backups take twenty one minutes", "Backups take 21 minutes", Join},
	{"The budget is 200 million dollars", "The budget is $200 million", Join},
	{"The budget is 200 million USD", "The budget is $200 million", Join},
	{"The budget is 200 million USD", "The budget is 200 million GBP", CheckUnit},
	{"Set A.B to on", "Set AB to on", CheckIdentifier},
	{"Some dogs are running", "Dogs are running", Join},
	{"A man is running", "One man is running", Join},
	{"One man sees a dog", "A man sees one dog", CheckOrder},

	{"The service is encrypted.", "The service is not encrypted.", Rival},
	{"The service is encrypted.", "The service is unencrypted.", Rival},
	{"Nobody is at home.", "Somebody is at home.", Rival},
	{"The service runs not.", "The service runs.", Rival},
	{"The door is open.", "The door is closed.", CheckPolarity},
	{"It is not polite.", "It is impolite.", Join},
	{"It is not polite.", "It is not impolite.", Rival},
	{"The painting is not valuable.", "The painting is invaluable.", CheckPolarity},

	{"The port is 5432.", "The port is 5433.", CheckNumber},
	{"two dogs are running", "three dogs are running", CheckNumber},
	{"The ports are 5432 and 5432", "The ports are 5432", CheckNumber},
	{"Alice came first.", "Alice came second.", CheckNumber},
	{"The limit is 5 GB.", "The limit is 5 MB.", CheckUnit},
	{"It takes 5s.", "It takes 5 ms.", CheckUnit},
	{"The link does 10 Mb", "The link does 10 MB", CheckUnit},
	{"The disk has 10GB", "The disk has 10 gigabytes", Join},
	{"Alice lives there", "Alice lives", CheckAddition},
	{"There is a cat in the box", "A cat is in the box", Join},
	{"The server has been down", "The server is down", CheckModality},
	{"The window is on Monday.", "The window is on Tuesday.", CheckDate},
	{"The window is at 14:30.", "The window is at 14:35.", CheckDate},
	{"The release was on 2026-11-30.", "The release was on 2026-12-01.", CheckDate},
	{"It runs nginx 1.25.3.", "It runs nginx 1.25.4.", CheckVersion},
	{"web-01 is healthy", "web-02 is healthy", CheckIdentifier},
	{"Set MAX_CONN on the host", "Set MIN_CONN on the host", CheckIdentifier},
	{"call foo() first", "call foo first", CheckIdentifier},
	{"the key is *p now", "the key is p now", CheckIdentifier},
	{`The button says "Save".`, `The button says "Send".`, CheckQuoted},
	{"the mode is `fast`", "the mode is fast", CheckQuoted},
	{"Alice manages the team.", "Bob manages the team.", CheckName},
	{"The office is in Berlin.", "The office is in Madrid.", CheckName},
	{"The US pays", "us pays", CheckName},
	{"All servers are patched.", "Most servers are patched.", CheckQuantifier},
	{"All cats see some dogs", "Some cats see all dogs", CheckQuantifier},
	{"Only Alice likes Bob", "Alice likes only Bob", CheckQuantifier},
	{"The servers are patched, all.", "The servers are patched, most.", CheckQuantifier}, // before no word
	{"Servers run nginx", "Some servers run nginx", CheckQuantifier},
	{"The job runs daily.", "The job may run daily.", CheckModality},
	{"The server is down.", "Is the server down?", CheckModality},
	{"The job usually works.", "The job sometimes works.", CheckModality},
	{"The server is patched", "The servers are patched", CheckPlural},
	{"The database has replicas", "The database has a replica", CheckPlural},
	{"The server does not run nginx", "The server runs nginx", Rival},
	{"The light is off", "The light is on", CheckRelation},
	{"Dark mode is enabled", "Light mode is enabled", CheckPolarity},
	{"Alice prefers tabs over spaces", "Alice prefers spaces over tabs", CheckOrder},
	{"The backup runs before the deploy", "The deploy runs before the backup", CheckOrder},
	{"Alice works at Acme.", "Alice worked at Acme.", CheckTense},
	{"The server was down.", "The server is down.", CheckTense},
	{"Alice manages Bob.", "Bob manages Alice.", CheckOrder},
	{"A white dog chases a black cat", "A black dog chases a white cat", CheckPolarity},
	{"A big dog chases a red cat", "A red dog chases a big cat", CheckOrder},
	{"The cat is in the box.", "The cat is behind the box.", CheckRelation},
	{"The cat is on the box.", "The cat is under the box.", CheckRelation},
	{"A man with a key waits", "A man without a key waits", Rival},
	{"A woman is eating bread.", "A woman is eating fruit.", CheckSubstitution},
	{"The dog is brown", "The dog is black", CheckSubstitution},
	{"A dog is running.", "A brown dog is running.", CheckAddition},
	{"A man is running", "A man is running quickly", CheckAddition},
	{"Licht an", "Licht", CheckName},
}

func TestVerdicts(t *testing.T) {
	for _, c := range verdicts {
		a, b := Read(c.a), Read(c.b)
		if got := Judge(a, b); got != c.want {
			t.Errorf("%q, %q: %s, want %s: %+v", c.a, c.b, got, c.want, refusals(a, b))
		}
		if got, back := Judge(a, b), Judge(b, a); got != back {
			t.Errorf("%q, %q: %s one way, %s the other", c.a, c.b, got, back)
		}
	}
}

func refusals(a, b *Reading) []Finding {
	var found []Finding
	for _, f := range Explain(a, b) {
		if f.Against != "" {
			found = append(found, f)
		}
	}
	return found
}

// In other scripts and languages the gate is never worse than refusing: only
// punctuation and blanks may differ.
func TestOtherLanguagesRefuse(t *testing.T) {
	for _, c := range []struct {
		a, b string
		join bool
	}{
		{"数据库在端口5432上运行。", "数据库在端口5432上运行", true},
		{"数据库在端口5432上运行", "数据库在端口5433上运行", false},
		{"数据库正在运行", "数据库没有运行", false},
		{"服务器在柏林", "服务器在马德里", false},
		{"서버는 실행 중이다", "서버는 실행 중이다.", true},
		{"서버는 실행 중이다", "서버는 실행 중이 아니다", false},
		{"الخادم يعمل الآن", "الخادم يعمل الآن.", true},
		{"الخادم يعمل الآن", "الخادم لا يعمل الآن", false},
		{"هل الخادم يعمل؟", "هل الخادم يعمل", false},
		{"Der Server läuft", "Der Server läuft.", true},
		{"Der Server läuft", "Der Server läuft nicht", false},
		{"Der Dienst ist an", "Der Dienst ist aus", false},
		{"Der Dienst ist an", "Der Dienst ist", false},
		{"Ich liebe sie", "Ich liebe Sie", false},
		{"Алиса любит Боба", "Боб любит Алису", false},
		{"deployed to 東京 today", "deployed to 大阪 today", false},
		{"deployed 🚀", "deployed", false},
		{"status is 👍", "status is 👎", false},
		{"🚀", "🔥", false},
		{"the user \u0301 logs in", "the user logs in", false},
		{"the user ㅤ logs in", "the user logs in", false},
		{"the user ¬ logs in", "the user logs in", false},
		{"a\u200bb is here", "ab is here", false},
		{"the раypal site", "the paypal site", false},
	} {
		if got := Judge(Read(c.a), Read(c.b)); (got == Join) != c.join {
			t.Errorf("%q, %q: %s", c.a, c.b, got)
		}
	}
}

// What the signature tells apart, the gate refuses.
func TestSignatureAgreesWithGate(t *testing.T) {
	var firsts, seconds []*Reading
	for _, c := range verdicts {
		firsts, seconds = append(firsts, Read(c.a)), append(seconds, Read(c.b))
	}
	for i, a := range firsts {
		for j, b := range seconds {
			if i != j && (i+j)%5 > 0 {
				continue // a fifth of the pairs will do
			}
			if v := Judge(a, b); (v == Join || v == Rival) && a.Signature() != b.Signature() {
				t.Errorf("%q, %q: %s, and their signatures differ", verdicts[i].a, verdicts[j].b, v)
			}
		}
	}
}

func TestLongTextsJoinByContentOnly(t *testing.T) {
	long := strings.Repeat("the cat sees a dog ", MaxTokens)
	if got := Judge(Read(long), Read(long)); got != CheckLength {
		t.Errorf("%s, want %s", got, CheckLength)
	}
}

// No text makes the gate panic, every text is let in with itself, the verdict does
// not depend on which text is first, and the signature never hides a join.
func FuzzGate(f *testing.F) {
	for _, c := range verdicts {
		f.Add(c.a, c.b)
	}
	for _, c := range structures {
		f.Add(c.a, c.b)
	}
	f.Add("0", "0 lying and")
	f.Add("0 being b bY 0 thAt 0", "0")
	f.Add("man runni ng", "man running")
	f.Add("is being by the", "of of which is not n't 's")
	f.Add("\xff\xfe", "«“")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 1500 {
			return
		}
		x, y := Read(a), Read(b)
		if v := Judge(x, x); v != Join && v != CheckLength {
			t.Fatalf("%q with itself: %s %+v", a, v, refusals(x, x))
		}
		v := Judge(x, y)
		if back := Judge(y, x); v != back {
			t.Fatalf("%q, %q: %s one way, %s the other", a, b, v, back)
		}
		if (v == Join || v == Rival) && x.Signature() != y.Signature() {
			t.Fatalf("%q, %q: %s, and their signatures differ", a, b, v)
		}
		Explain(x, y)
	})
}
