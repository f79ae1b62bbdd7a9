package profile

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shakedown/spec"
)

// TestFind reads every setting.
func TestFind(t *testing.T) {
	got, err := Find("delay=50ms, jitter=5ms/normal, LOSS=1%,rate=1.5Mbit/s,queue=100/64kB/codel,mtu=1280,reorder=0.01," +
		"duplicate=0.1%,window=20,family=6,frames=127/55/2,down.loss=ge/1%/20%,up.rate=250kbit,down.delay=1s")
	if err != nil {
		t.Fatal(err)
	}
	up := Direction{
		Delay: 50 * time.Millisecond, Jitter: Jitter{5 * time.Millisecond, Normal}, Rate: 250_000,
		Queue: Queue{Packets: 100, Bytes: 64000, CoDel: true}, Loss: Loss{Share: 0.01}, Duplicate: 0.001, Reorder: 0.01,
	}
	down := up
	down.Delay, down.Rate, down.Loss = time.Second, 1_500_000, Loss{GE: &GilbertElliott{P: 0.01, R: 0.2, Bad: 1}}
	want := Profile{
		Title: "as given", Source: "as given", Up: up, Down: down,
		MTU: 1280, Window: 20, Frames: Frames{127, 55, 2}, Family: 6,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDefaults: what is not given is written out.
func TestDefaults(t *testing.T) {
	got, err := Find("jitter=1ms,delay=1ms")
	if err != nil {
		t.Fatal(err)
	}
	way := Direction{Delay: time.Millisecond, Jitter: Jitter{time.Millisecond, Uniform}, Queue: Queue{Packets: 1000}}
	want := Profile{Title: "as given", Source: "as given", Up: way, Down: way, MTU: 1500, Window: 10, Family: 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestString: the canonical text.
func TestString(t *testing.T) {
	for text, want := range map[string]string{
		"delay=0":                           "delay=0s",
		"mtu=1500,window=10,family=4":       "delay=0s",
		"queue=1000,rate=none,frames=none":  "delay=0s",
		"jitter=0s/pareto,loss=-0":          "delay=0s",
		"loss=0.1":                          "loss=10%",
		"loss=100%":                         "loss=100%",
		"loss=0.000000001":                  "loss=0.0000001%",
		"rate=1000kbit":                     "rate=1Mbit",
		"rate=5470bit/s":                    "rate=5470bit",
		"rate=0.5gbit":                      "rate=500Mbit",
		"delay=0.25ms":                      "delay=250us",
		"delay=1us,jitter=1µs/uniform":      "delay=1us,jitter=1us",
		"loss=ge/1%/2%/0/100%":              "loss=ge/1%/2%",
		"loss=ge/1%/2%/0.1%/0.5":            "loss=ge/1%/2%/0.1%/50%",
		"queue=64kb":                        "queue=64kB",
		"queue=codel":                       "queue=1000/codel",
		"up.delay=1s,down.delay=1s":         "delay=1s",
		"up.delay=1s,delay=2s":              "up.delay=1s,down.delay=2s",
		"up.loss=1%":                        "up.loss=1%",
		"LTE-M":                             "lte-m",
		" lte-m , loss = 10% ":              "lte-m",
		"lte-m,loss=0":                      "lte-m,loss=0%",
		"lte-m,up.loss=0":                   "lte-m,up.loss=0%",
		"lte-m,rate=none,mtu=1400":          "lte-m,rate=none,mtu=1400",
		"3g,rate=768kbit":                   "3g,rate=768kbit",
		"3g,up.rate=1600kbit":               "3g,rate=1600kbit",
		"thread,family=4,frames=none":       "thread,frames=none,family=4",
		"loopback,delay=5ms":                "loopback,delay=5ms",
		"delay=100ms,rate=1Mbit,loss=10%":   "delay=100ms,rate=1Mbit,loss=10%",
		"mtu=296,frames=127/55,window=1000": "mtu=296,window=1000,frames=127/55",
	} {
		p, err := Find(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if p.String() != want {
			t.Errorf("%q prints %q, want %q", text, p, want)
		}
		readBack(t, p)
	}
}

// readBack prints a profile, reads it and wants the same one, by JSON too.
func readBack(t *testing.T, p Profile) {
	t.Helper()
	again, err := Find(p.String())
	if err != nil || !reflect.DeepEqual(p, again) || again.String() != p.String() {
		t.Errorf("%q reads as %q, %v: %s", p, again, err, cmp.Diff(p, again))
	}
	var decoded Profile
	data, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(data, &decoded)
	}
	if err != nil || !reflect.DeepEqual(p, decoded) {
		t.Errorf("%q by JSON: %v: %s", p, err, cmp.Diff(p, decoded))
	}
}

// TestChanged: a profile with other settings says so.
func TestChanged(t *testing.T) {
	base, err := Find("lte-m")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Find("lte-m,loss=0")
	if err != nil {
		t.Fatal(err)
	}
	if p.Title != base.Title+", changed" || p.Source != base.Source+"; as given: loss=0%" || !p.Emulated() {
		t.Errorf("title %q, source %q", p.Title, p.Source)
	}
	if p.Up.Loss.Share != 0 || p.Up.Delay != base.Up.Delay || base.Up.Loss.Share != 0.1 {
		t.Errorf("%+v from %+v", p.Up, base.Up)
	}
}

// TestOwnCopies: what is found belongs to the caller.
func TestOwnCopies(t *testing.T) {
	p, err := Find("loss=ge/1%/2%")
	if err != nil {
		t.Fatal(err)
	}
	if p.Up.Loss.GE.P = 0.5; p.Down.Loss.GE.P != 0.01 {
		t.Error("both directions share their bursts")
	}
}

func TestUnknown(t *testing.T) {
	for text, near := range map[string]string{
		"ltem":             "lte-m",
		"satelite":         "satellite-geo",
		"nbiot,loss=0":     "nb-iot",
		"":                 "loopback",
		"qqqqqqqqqqqq":     "loopback",
		"dealy=5ms":        "delay",
		"lte-m,los=1%":     "loss",
		"up.mtu=1400":      "mtu",
		"upp.loss=1%":      "up.loss",
		"lte-m,initcwnd=5": "",
	} {
		_, err := Find(text)
		var unknown *spec.UnknownName
		if !errors.As(err, &unknown) {
			t.Errorf("%q: %v is no unknown name", text, err)
			continue
		}
		if near != "" && (len(unknown.Near) == 0 || unknown.Near[0] != near) {
			t.Errorf("%q: near %q, want %s first", text, unknown.Near, near)
		}
	}
}

// TestUnreadable: errors say which setting, and what it takes.
func TestUnreadable(t *testing.T) {
	for text, want := range map[string]string{
		"lte-m,5g":              "want setting=value",
		"delay=1ms,":            "want setting=value",
		"loss=1%,loss=2%":       "loss is given twice",
		"up.loss=1%,up.loss=2%": "up.loss is given twice",
		"delay=5":               "delay: want a time with its unit",
		"jitter=":               "jitter: want a time",
		"rate=5":                "rate: want a number with a unit, such as 250kbit",
		"rate=fast":             "rate: want",
		"rate=1e3kbit":          "rate: want",
		"rate=1..5kbit":         "rate: want",
		"loss=some":             "loss: want a share such as 1%",
		"loss=NaN":              "loss: want a share",
		"loss=ge/1%":            "loss: want ge/P/R",
		"loss=ge/1%/2%/3%":      "loss: want ge/P/R",
		"loss=ge/1%/x":          "loss: want a share",
		"queue=long":            "queue: want a whole number",
		"queue=1.5":             "queue: want a whole number",
		"queue=xkB":             "queue: want a number with a unit",
		"frames=127":            "frames: want SIZE/HEADER",
		"frames=127/1/2/3":      "frames: want SIZE/HEADER",
		"frames=127/x":          "frames: want a whole number",
		"mtu=big":               "mtu: want a whole number",
		"mtu=99999999999999":    "mtu: want a whole number",
	} {
		if _, err := Find(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Find(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 100 {
		t.Errorf("a text of 1 MiB: %.200v", err)
	}
}

// FuzzFind: whatever can be read is possible, and reads back as the same profile.
func FuzzFind(f *testing.F) {
	for _, name := range Names() {
		f.Add(name)
	}
	for _, text := range []string{
		"delay=50ms,jitter=5ms,loss=1%,rate=250kbit,queue=100,mtu=1280,reorder=1%,duplicate=0.1%,window=10,family=6",
		"lte-m,loss=0", "3g,up.rate=none,down.jitter=1ms/pareto", "loss=ge/1%/2%/0.1%/0.5,queue=10/64kB/codel",
		"mtu=296,frames=127/55/2", "delay=1us,jitter=0.3us/normal", "rate=0.0015gbit/s,loss=0.123456789123",
		"hold=serverhello/200ms+server#3/1s,drop=each+client#2,pmtu=1280/silent",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Find(text)
		if err != nil {
			return
		}
		if err := p.Check(); err != nil {
			t.Errorf("%q is found, but %v", text, err)
		}
		readBack(t, p)
	})
}
