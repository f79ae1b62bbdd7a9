package study

import (
	"testing"

	"shakedown/spec"
)

// TestStudies reads every shipped plan and expands it for a stack.
func TestStudies(t *testing.T) {
	for _, name := range Names() {
		p, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name != name {
			t.Errorf("%s.yaml calls itself %q", name, p.Name)
		}
		for _, c := range p.Expand([]string{"openssl"}) {
			if err := c.Validate(); err != nil {
				t.Errorf("%s: %v: %v", name, c, err)
			}
		}
	}
}

// TestPublishedFigures: every published figure says where it is from and
// belongs to a case of its plan.
func TestPublishedFigures(t *testing.T) {
	for _, name := range Names() {
		p, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		cases := p.Expand([]string{"wolfssl"})
		for _, f := range p.Published {
			if f.Source == "" || !f.BelongsToOne(cases) {
				t.Errorf("%s: figure %+v has no source or no case", name, f)
			}
		}
	}
}

func TestUnknownStudy(t *testing.T) {
	_, err := Load("basic")
	unknown, ok := err.(*spec.UnknownName)
	if !ok || len(unknown.Near) == 0 || unknown.Near[0] != "basics" {
		t.Errorf("got %v, want an unknown name near basics", err)
	}
}
