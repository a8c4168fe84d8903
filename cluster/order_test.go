package cluster

import "testing"

// Every construction that gives an order is named where a pair joins by it, for the text
// that has it, whichever is given first.
func TestOrdersAreNamed(t *testing.T) {
	for _, c := range []struct{ name, text, other, words string }{
		{Written, "The dog chases a cat", "the dog chases a cat!", "dog chases cat"},
		{"activeVoice", "A guitar is being played by a man.", "A man is playing a guitar.", "man played guitar"},
		{"agent", "The wall is painted by the man in the hat", "The man in the hat paints the wall", "man in hat painted wall"},
		{"compounded", "A bridge made of rope is down", "A rope bridge is down", "rope bridge down"},
		{"instrumental", "The team uses Terraform to deploy the cluster", "The team deploys the cluster with Terraform", ""},
		{"lacking", "A passwordless login is allowed", "A login without a password is allowed", "login not with password allowed"},
		{"wornIn", "The man wearing a helmet is waiting", "The man in the helmet is waiting", "man in helmet waiting"},
		{"wornWith", "The man wearing a helmet is waiting", "The man with the helmet is waiting", "man with helmet waiting"},
		{"passive", "Someone is moving the disk to a shelf", "The disk is being moved to a shelf", "disk moving to shelf"},
		{"conjunctsSwapped", "Alice is testing and deploying the service", "Alice is deploying the service and testing", ""},
		{"grouped", "A group of servers is restarting", "Some servers are restarting", "some servers restarting"},
	} {
		a, b := Read(c.text), Read(c.other)
		first, second := Orders(a, b)
		second2, first2 := Orders(b, a)
		if first != first2 || second != second2 {
			t.Errorf("%q: %v %v one way, %v %v the other", c.text, first, second, first2, second2)
		}
		if first.Name == Written {
			first, second = second, first
		}
		if first.Name != c.name || second.Name != Written || c.words != "" && first.Words != c.words {
			t.Errorf("%q, %q: %+v and %+v, want %s: %s", c.text, c.other, first, second, c.name, c.words)
		}
	}
}

// What is said against a pair has no word left out: a number in words has its value.
func TestFindingsHaveTheirWords(t *testing.T) {
	for _, f := range refusals(Read("One man sees a dog"), Read("A man sees one dog")) {
		if f.Check == CheckOrder && f.Against != "moved: 1" {
			t.Errorf("%q", f.Against)
		}
	}
}
