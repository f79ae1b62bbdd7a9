package profile

import (
	"fmt"
	"slices"
	"strings"

	"shakedown/spec"
)

// maxText bounds a text in bytes; the longest sensible one is far shorter.
const maxText = 1000

// given is the source of what the user set.
const given = "as given"

// way is a setting of one direction, which text gives as "loss=1%" for both or as
// "up.loss=1%" for one.
type way struct {
	name string
	get  func(Direction) string
	set  func(*Direction, string) error
}

var ways = []way{
	{"delay", func(d Direction) string { return durationText(d.Delay) }, func(d *Direction, s string) error { return into(&d.Delay, parseDuration, s) }},
	{"jitter", func(d Direction) string { return jitterText(d.Jitter) }, func(d *Direction, s string) error { return into(&d.Jitter, parseJitter, s) }},
	{"rate", func(d Direction) string { return rateText(d.Rate) }, func(d *Direction, s string) error { return into(&d.Rate, parseRate, s) }},
	{"queue", func(d Direction) string { return queueText(d.Queue) }, func(d *Direction, s string) error { return into(&d.Queue, parseQueue, s) }},
	{"loss", func(d Direction) string { return lossText(d.Loss) }, func(d *Direction, s string) error { return into(&d.Loss, parseLoss, s) }},
	{"duplicate", func(d Direction) string { return shareText(d.Duplicate) }, func(d *Direction, s string) error { return into(&d.Duplicate, parseShare, s) }},
	{"reorder", func(d Direction) string { return shareText(d.Reorder) }, func(d *Direction, s string) error { return into(&d.Reorder, parseShare, s) }},
}

// whole is a setting of the link as such.
type whole struct {
	name string
	get  func(Profile) string
	set  func(*Profile, string) error
}

var wholes = []whole{
	{"mtu", func(p Profile) string { return fmt.Sprint(p.MTU) }, func(p *Profile, s string) error { return into(&p.MTU, parseSize, s) }},
	{"window", func(p Profile) string { return fmt.Sprint(p.Window) }, func(p *Profile, s string) error { return into(&p.Window, parseSize, s) }},
	{"frames", func(p Profile) string { return framesText(p.Frames) }, func(p *Profile, s string) error { return into(&p.Frames, parseFrames, s) }},
	{"pmtu", func(p Profile) string { return p.PathMTU.text() }, func(p *Profile, s string) error { return into(&p.PathMTU, parsePathMTU, s) }},
	{"drop", func(p Profile) string { return p.aimText(false) }, func(p *Profile, s string) error { return p.setAim(false, parseDrops, s) }},
	{"hold", func(p Profile) string { return p.aimText(true) }, func(p *Profile, s string) error { return p.setAim(true, parseHolds, s) }},
	{"family", func(p Profile) string { return fmt.Sprint(p.Family) }, func(p *Profile, s string) error { return into(&p.Family, parseSize, s) }},
}

// into stores what a parser reads.
func into[T any](target *T, parse func(string) (T, error), text string) error {
	value, err := parse(text)
	if err == nil {
		*target = value
	}
	return err
}

// Find reads a link: the name of a shipped profile, settings, or a name with
// settings that change it, as in
//
//	lte-m
//	delay=50ms,jitter=5ms,rate=1Mbit,up.rate=250kbit,queue=100,loss=1%,mtu=1280
//	lte-m,loss=0
//
// up. and down. set one direction, before or after what sets both. An unknown name
// is a *[spec.UnknownName], for a link that cannot be the error wraps an *[Impossible].
func Find(text string) (Profile, error) {
	if len(text) > maxText {
		return Profile{}, fmt.Errorf("a link of %d bytes: the text may have %d", len(text), maxText)
	}
	list, err := shipped()
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Title: given, Source: given}
	parts := strings.Split(strings.ToLower(text), ",")
	if name := strings.TrimSpace(parts[0]); !strings.Contains(name, "=") {
		i := slices.IndexFunc(list, func(p Profile) bool { return p.Name == name })
		if i < 0 {
			return Profile{}, unknownLink(name)
		}
		p, parts = list[i], parts[1:]
	}
	if err := p.apply(parts); err != nil {
		return Profile{}, fmt.Errorf("link %q: %w", text, err)
	}
	p = p.settled()
	if changes, changed := strings.CutPrefix(p.String(), p.Name+","); changed {
		p.Title += ", changed"
		p.Source += "; " + given + ": " + changes
	}
	return p, nil
}

func unknownLink(name string) error {
	near := spec.Near(name, Names())
	if near == nil {
		near = Names()
	}
	return &spec.UnknownName{What: "link", Name: name, Near: near}
}

// apply reads settings into the profile, those of both directions first, and
// checks it.
func (p *Profile) apply(parts []string) error {
	seen := map[string]bool{}
	var both, one []string
	for _, part := range parts {
		key, _, found := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		switch {
		case !found:
			return fmt.Errorf("want setting=value, such as loss=1%%, not %q", part)
		case seen[key]:
			return fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if strings.Contains(key, ".") {
			one = append(one, part)
		} else {
			both = append(both, part)
		}
	}
	for _, part := range append(both, one...) {
		key, value, _ := strings.Cut(part, "=")
		if err := p.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return p.Check()
}

// set reads the value of one setting.
func (p *Profile) set(key, value string) error {
	directions := []*Direction{&p.Up, &p.Down}
	name := key
	if before, after, found := strings.Cut(key, "."); found {
		i := slices.Index([]string{"up", "down"}, before)
		if i < 0 {
			return &spec.UnknownName{What: "field", Name: key, Near: []string{"up." + after, "down." + after}}
		}
		directions, name = directions[i:i+1], after
	}
	for _, w := range ways {
		if w.name == name {
			return named(key, w.setAll(directions, value))
		}
	}
	for _, w := range wholes {
		if w.name == key {
			return named(key, w.set(p, value))
		}
	}
	return &spec.UnknownName{What: "field", Name: key, Near: spec.Near(name, settingNames())}
}

// named says which setting an error is about.
func named(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", key, err)
}

func (w way) setAll(directions []*Direction, value string) error {
	for _, d := range directions {
		if err := w.set(d, value); err != nil {
			return err
		}
	}
	return nil
}

func settingNames() (names []string) {
	for _, w := range ways {
		names = append(names, w.name)
	}
	for _, w := range wholes {
		names = append(names, w.name)
	}
	return names
}

// String prints the link as [Find] reads it: its name, and what differs from the
// shipped profile of that name; without one, what differs from a link that changes
// nothing. Equal links print alike.
func (p Profile) String() string {
	p = p.settled()
	base, parts := p.base()
	for _, w := range ways {
		parts = append(parts, w.differences(p, base)...)
	}
	for _, w := range wholes {
		if value := w.get(p); value != w.get(base) {
			parts = append(parts, w.name+"="+value)
		}
	}
	if len(parts) == 0 {
		parts = []string{"delay=" + ways[0].get(p.Up)}
	}
	return strings.Join(parts, ",")
}

// base is what the settings of a text change: the shipped profile of that name, and
// the text that names it, or a link that changes nothing.
func (p Profile) base() (base Profile, text []string) {
	list, _ := shipped() // without it no profile has a name
	for _, known := range list {
		if known.Name == p.Name {
			return known, []string{p.Name}
		}
	}
	return Profile{}.settled(), nil
}

// differences prints the setting as far as it differs from that of base.
func (w way) differences(p, base Profile) (texts []string) {
	up, down := w.get(p.Up), w.get(p.Down)
	upBefore, downBefore := w.get(base.Up), w.get(base.Down)
	switch {
	case up == upBefore && down == downBefore:
		return nil
	case up == down:
		return []string{w.name + "=" + up}
	}
	if up != upBefore {
		texts = append(texts, "up."+w.name+"="+up)
	}
	if down != downBefore {
		texts = append(texts, "down."+w.name+"="+down)
	}
	return texts
}
