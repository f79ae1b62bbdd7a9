package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"shakedown/link/profile"
)

// linksCmd is `shakedown links`.
type linksCmd struct {
	Link  string `arg:"" optional:"" help:"Profile or settings to show, as --link of shakedown run takes them."`
	JSON  bool   `help:"Print one JSON object a line."`
	Check bool   `help:"Measure how true emulated links are on this machine, in a minute. Exit status 3: a figure is outside."`
	Quick bool   `help:"With --check: fewer figures, in a quarter of the time."`
}

// Help shows an example.
func (linksCmd) Help() string {
	return `Examples:
  shakedown links
  shakedown links lte-m,loss=0
  shakedown links --check`
}

// Run lists the links, shows one, or measures how true they are.
func (c *linksCmd) Run(e *env) error {
	switch {
	case c.Check && c.Link != "":
		return usage(errors.New("--check measures links of its own, and takes none"), "shakedown links --check")
	case c.Quick && !c.Check:
		return usage(errors.New("--quick goes with --check"), "shakedown links --check --quick")
	case c.Check:
		return c.check(e)
	}
	profiles, err := c.profiles()
	if err != nil {
		return usage(err, "shakedown links lists them; docs/links.md has the settings")
	}
	switch {
	case c.JSON:
		return linksJSON(e.stdout, profiles)
	case c.Link != "":
		return linkText(e.stdout, profiles[0])
	}
	return linksText(e.stdout, profiles)
}

// profiles are all that are shipped, or the one that was asked for.
func (c *linksCmd) profiles() (profiles []profile.Profile, err error) {
	names := profile.Names()
	if c.Link != "" {
		names = []string{c.Link}
	}
	for _, name := range names {
		p, err := profile.Find(name)
		if err != nil {
			return nil, err
		}
		profiles = append(profiles, p)
	}
	return profiles, nil
}

// linksText prints one line a profile.
func linksText(w io.Writer, profiles []profile.Profile) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "name\tdelay\tjitter\trate\tloss\tMTU\t")
	dash := func(text string) string { return cmp.Or(text, "-") }
	for _, p := range profiles {
		s := settingsOf(p)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", p.Name, dash(s.both("delay")), dash(s.both("jitter")), dash(s.both("rate")), dash(s.both("loss")), p.MTU, p.Title)
	}
	return table.Flush()
}

// linkText prints all of one link.
func linkText(w io.Writer, p profile.Profile) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", p)
	list(&out, "title", p.Title)
	s := settingsOf(p)
	for _, name := range []string{"delay", "jitter", "rate", "loss", "duplicate", "reorder"} {
		list(&out, name, s.both(name))
	}
	list(&out, "queue", cmp.Or(s.both("queue"), fmt.Sprint(profile.DefaultQueue, " packets")))
	list(&out, "mtu", fmt.Sprint(p.MTU, " bytes"))
	list(&out, "window", fmt.Sprint(p.Window, " packets"))
	list(&out, "family", fmt.Sprint("IPv", p.Family))
	list(&out, "frames", s["frames"])
	list(&out, "source", p.Source)
	_, err := io.WriteString(w, out.String())
	return err
}

// settings are the texts of what differs from a link that changes nothing.
type settings map[string]string

func settingsOf(p profile.Profile) settings {
	p.Name = "" // or its text would be that
	s := settings{}
	for part := range strings.SplitSeq(p.String(), ",") {
		key, value, _ := strings.Cut(part, "=")
		s[key] = value
	}
	return s
}

// both is a setting of both directions, "" where it changes nothing.
func (s settings) both(name string) string {
	if value, same := s[name]; same {
		return value
	}
	var parts []string
	for _, way := range []string{"up", "down"} {
		if value, set := s[way+"."+name]; set {
			parts = append(parts, value+" "+way)
		}
	}
	return strings.Join(parts, ", ")
}

// linkLine is one line of `links --json`.
type linkLine struct {
	Name     string   `json:"name"` // may be empty
	Title    string   `json:"title"`
	Link     string   `json:"link"`     // as --link takes it
	Settings settings `json:"settings"` // what differs from a link that changes nothing
	Up       linkWay  `json:"up"`       // client to server
	Down     linkWay  `json:"down"`
	MTU      int      `json:"mtu"`    // bytes
	Window   int      `json:"window"` // packets
	Family   int      `json:"family"` // 4 or 6
	Source   string   `json:"source"`
}

// linkWay is what most ask of a direction, as numbers.
type linkWay struct {
	Delay  float64 `json:"delay"`  // s, one way
	Jitter float64 `json:"jitter"` // s; its shape is in the settings
	Rate   int64   `json:"rate"`   // bit/s; 0: unlimited
	Loss   float64 `json:"loss"`   // share, the mean of bursts
}

func linksJSON(w io.Writer, profiles []profile.Profile) error {
	for _, p := range profiles {
		line := linkLine{
			Name: p.Name, Title: p.Title, Link: p.String(), Settings: settingsOf(p), Up: wayOf(p.Up), Down: wayOf(p.Down),
			MTU: p.MTU, Window: p.Window, Family: p.Family, Source: p.Source,
		}
		if err := jsonLine(w, line); err != nil {
			return err
		}
	}
	return nil
}

// jsonLine prints a value as one line of JSON.
func jsonLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func wayOf(d profile.Direction) linkWay {
	share := d.Loss.Share
	if ge := d.Loss.GE; ge != nil {
		share = (ge.P*ge.Bad + ge.R*ge.Good) / (ge.P + ge.R)
	}
	return linkWay{Delay: d.Delay.Seconds(), Jitter: d.Jitter.Spread.Seconds(), Rate: d.Rate, Loss: share}
}
