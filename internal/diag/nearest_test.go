package diag

import "testing"

func TestNearest(t *testing.T) {
	tags := []string{"script", "version", "owner", "key", "arg", "value", "code", "return", "readonly", "deprecated"}
	units := []string{"s", "ms", "us", "ns", "f"}
	for _, test := range []struct {
		word  string
		known []string
		want  string
	}{
		{"kye", tags, "key"},              // swapped
		{"ke", tags, "key"},               // missing
		{"keys", tags, "key"},             // too many
		{"kez", tags, "key"},              // wrong
		{"Key", tags, "key"},              // upper case is no difference
		{"KYE", tags, "key"},              //
		{"vlaue", tags, "value"},          //
		{"retrun", tags, "return"},        //
		{"redaonyl", tags, "readonly"},    // two swaps
		{"depercatd", tags, "deprecated"}, //
		{"versoin", tags, "version"},
		{"param", tags, ""},
		{"brg", tags, "arg"},
		{"bzg", tags, ""}, // two of three
		{"x", units, ""},  // nothing would be left of it
		{"", units, ""},
		{"mss", units, "ms"},
		{"min", units, ""},
		{"ab", []string{"cb", "ac"}, "cb"},                 // the first of equals
		{"abcdef", []string{"abcxyf", "abcdxf"}, "abcdxf"}, // the nearest, not the first
		{"abcdefghijklmnop", []string{"abcdefghijkl"}, ""}, // never more than three
		{"größe", []string{"grösse", "groß"}, ""},
		{"größe", []string{"große"}, "große"}, // letters, not bytes
		{"key", nil, ""},
		{"k", []string{""}, ""},
	} {
		if got := Nearest(test.word, test.known); got != test.want {
			t.Errorf("Nearest(%q, %v) is %q, want %q", test.word, test.known, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "bca", 2},
		{"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		if got := distance([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("distance of %q and %q is %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
