package profile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"shakedown/spec"
)

// TestAim: targets are read in any case of letters, and printed as the RFCs spell
// them; what is dropped comes first.
func TestAim(t *testing.T) {
	hello, second, third := Target{Message: "ServerHello"}, Target{From: "client", Number: 2}, Target{From: "server", Number: 3}
	held := func(t Target, d time.Duration) Target { t.Hold = d; return t }
	for text, c := range map[string]struct {
		want []Target
		text string
	}{
		"drop=SERVERHELLO":              {[]Target{hello}, "drop=ServerHello"},
		"drop=Each":                     {[]Target{{Each: true}}, "drop=each"},
		"drop=Client#2+serverhello":     {[]Target{second, hello}, "drop=client#2+ServerHello"},
		"hold=serverhello/0.2s":         {[]Target{held(hello, 200*time.Millisecond)}, "hold=ServerHello/200ms"},
		"hold=client#2/1m,drop=each":    {[]Target{{Each: true}, held(second, time.Minute)}, "drop=each,hold=client#2/1m0s"},
		"drop=changecipherspec,delay=0": {[]Target{{Message: "ChangeCipherSpec"}}, "drop=ChangeCipherSpec"},
		"drop=none,hold=none":           {nil, "delay=0s"},
		"hold=ServerHello/200ms+server#3/1s": {
			[]Target{held(hello, 200*time.Millisecond), held(third, time.Second)}, "hold=ServerHello/200ms+server#3/1s",
		},
		"lte-m,drop=ClientHello": {[]Target{{Message: "ClientHello"}}, "lte-m,drop=ClientHello"},
	} {
		p, err := Find(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !slices.Equal(p.Aim, c.want) || p.String() != c.text {
			t.Errorf("%q: %+v, printed %q, want %q", text, p.Aim, p, c.text)
		}
		readBack(t, p)
	}
}

// TestPathMTU: the hop behind the link, in words and out of them.
func TestPathMTU(t *testing.T) {
	for text, want := range map[string]PathMTU{
		"pmtu=1280":            {Bytes: 1280},
		"pmtu=1280/Silent":     {1280, true},
		"pmtu=68":              {Bytes: 68},
		"pmtu=1280,family=6":   {Bytes: 1280},
		"mtu=9000,pmtu=1500":   {Bytes: 1500},
		"pmtu=none":            {},
		"lan,pmtu=1499/silent": {1499, true},
	} {
		p, err := Find(text)
		if err != nil || p.PathMTU != want {
			t.Errorf("%q: %+v, %v", text, p.PathMTU, err)
			continue
		}
		readBack(t, p)
	}
}

// TestAimRefused: what cannot be says why and what to do.
func TestAimRefused(t *testing.T) {
	for text, want := range map[string]string{
		"drop=client#0":                      "no packet \"client#0\": client#N",
		"drop=server#-1":                     "no packet \"server#-1\"",
		"drop=nobody#1":                      "no packet \"nobody#1\"",
		"drop=#1":                            "no packet \"#1\"",
		"hold=ServerHello/0s":                "held for no time: leave it out, or drop=ServerHello",
		"hold=each/61s":                      "nothing is held for 1m1s: the most is 1m0s",
		"hold=each/-1s":                      "nothing is held for -1s",
		"drop=each+each":                     "each is aimed at twice",
		"drop=client#1,hold=client#01/1s":    "client#1 is aimed at twice",
		"hold=ServerHello/1s+serverhello/2s": "ServerHello is aimed at twice",
		"pmtu=1500":                          "not narrower than the link's 1500",
		"pmtu=67":                            "no hop of IPv4 is as narrow as 67",
		"pmtu=1279,family=6":                 "no hop of IPv6 is as narrow as 1279",
		"pmtu=-5":                            "no hop of IPv4",
		"pmtu=0":                             "there is no size of 0",
	} {
		_, err := Find(text)
		var cannot *Impossible
		if !errors.As(err, &cannot) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, aimed := range []Target{
		{},
		{From: "client"},
		{Number: 1},
		{Each: true, Number: 1, From: "client"},
		{Message: "ServerHello", Each: true},
		{Message: "Finished"},
		{Message: "ServerHello", Hold: -1},
		{Each: true, Hold: MaxDelay + 1},
	} {
		p := Profile{Aim: []Target{aimed}}
		var cannot *Impossible
		if err := p.Check(); !errors.As(err, &cannot) {
			t.Errorf("%+v: %v", aimed, err)
		}
	}
}

// TestAimUnreadable: what cannot be read names the setting, and what is near.
func TestAimUnreadable(t *testing.T) {
	for text, want := range map[string]string{
		"drop=":                    "drop: unknown message \"\"",
		"drop=client#x":            "drop: want a whole number",
		"drop=each+":               "drop: unknown message \"\"",
		"drop=ServerHello/200ms":   "drop: unknown message",
		"hold=ServerHello":         "hold: want WHAT/TIME",
		"hold=ServerHello/5":       "hold: want a time with its unit",
		"hold=ServerHello/1s/2s":   "hold: want a time with its unit",
		"up.drop=each":             "unknown field \"up.drop\"",
		"pmtu=wide":                "pmtu: want a whole number",
		"pmtu=1280/quiet":          "pmtu: want a whole number",
		"pmtu=/silent":             "pmtu: want a whole number",
		"drop=each,drop=client#1":  "drop is given twice",
		"hold=serverhelo/1s":       "did you mean ServerHello",
		"drop=Finished+client#100": "unknown message \"finished\"",
	} {
		if _, err := Find(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, err := Find("drop=ServrHello")
	var unknown *spec.UnknownName
	if !errors.As(err, &unknown) || len(unknown.Near) == 0 || unknown.Near[0] != "ServerHello" {
		t.Errorf("%v", err)
	}
}
