package profile

import (
	_ "embed" // the profiles are in the binary
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed profiles.yaml
var profilesYAML []byte

// entry is a profile as the file writes it.
type entry struct {
	Name    string            `yaml:"name"`
	Title   string            `yaml:"title"`
	Link    map[string]string `yaml:"link"`    // settings as in the text of a link
	Sources []figureSource    `yaml:"sources"` // of each setting
}

// figureSource says where the values of settings come from.
type figureSource struct {
	Of   string `yaml:"of"`   // settings, with blanks between
	From string `yaml:"from"` // a sentence without its full stop
}

// shipped reads the profiles once. The error is of the build, not of the user.
var shipped = sync.OnceValues(func() ([]Profile, error) {
	var entries []entry
	if err := yaml.UnmarshalWithOptions(profilesYAML, &entries, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("shipped profiles: %w", err)
	}
	var list []Profile
	for _, e := range entries {
		p, err := e.profile()
		if err != nil {
			return nil, fmt.Errorf("shipped profile %s: %w", e.Name, err)
		}
		list = append(list, p)
	}
	return list, nil
})

func (e entry) profile() (Profile, error) {
	p := Profile{Name: e.Name, Title: e.Title}
	var sources, parts []string
	for _, s := range e.Sources {
		sources = append(sources, strings.ReplaceAll(s.Of, " ", ", ")+": "+s.From)
	}
	p.Source = strings.Join(sources, "; ")
	for key, value := range e.Link {
		parts = append(parts, key+"="+strings.ToLower(value))
	}
	slices.Sort(parts) // so that of two mistakes the same one is told
	err := p.apply(parts)
	return p.settled(), err
}

// Names lists the shipped profiles in the order of their table in docs/links.md.
func Names() []string {
	list, _ := shipped() // which tests have read
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Name
	}
	return names
}
