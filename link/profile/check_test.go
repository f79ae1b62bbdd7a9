package profile

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

// TestImpossible: each is refused with its reason and a hint.
func TestImpossible(t *testing.T) {
	for text, want := range map[string]string{
		"rate=0":                                "a rate of 0 sends nothing: rate=none",
		"up.rate=0kbit":                         "up.rate: a rate of 0",
		"rate=-5kbit":                           "negative",
		"rate=200Gbit":                          "more than the 100Gbit",
		"rate=100bit":                           "a packet of 1500 bytes takes 120 s at 100bit",
		"rate=200bit,mtu=1400,frames=25/20":     "takes 280 s",
		"mtu=0":                                 "mtu: there is no size of 0",
		"mtu=-1":                                "below the 68 of IPv4",
		"mtu=60,frames=127/55":                  "below the 68 of IPv4",
		"mtu=575":                               "below the 576 that each IPv4 host",
		"mtu=1279,family=6":                     "below the 1280 of IPv6",
		"mtu=1279,family=6,frames=127/55":       "below the 1280 of IPv6",
		"mtu=65536":                             "longer than an IP packet can be",
		"family=5":                              "there is no IPv5",
		"window=-1":                             "no initial window has -1",
		"window=1001":                           "no initial window has 1001",
		"loss=101%":                             "loss: 101% is no share",
		"loss=-1%":                              "loss: -1% is no share",
		"loss=1":                                "did you mean 1%?",
		"duplicate=5":                           "did you mean 5%?",
		"duplicate=-0.1":                        "duplicate: -10% is no share",
		"reorder=200%,delay=1s":                 "reorder: 200% is no share",
		"reorder=1%":                            "overtake none",
		"loss=ge/0/1%":                          "never begin or never end",
		"loss=ge/1%/0":                          "never begin or never end",
		"loss=ge/1%/2%/3%/400%":                 "loss: BAD: 400% is no share",
		"delay=-1ms":                            "a delay of -1ms is negative",
		"down.delay=-1ms":                       "down: a delay of -1ms",
		"delay=61s":                             "too long for any handshake",
		"jitter=1ms":                            "delay=1ms or more, or jitter=1ms/pareto",
		"delay=5ms,jitter=-1ms":                 "negative",
		"delay=5ms,jitter=6ms":                  "delay=6ms or more",
		"delay=5ms,jitter=2ms/normal":           "delay=6ms or more, or jitter=2ms/pareto",
		"delay=5ms,jitter=90s/pareto":           "too long for any handshake",
		"delay=5ms,jitter=1ms/gauss":            "no jitter of shape \"gauss\": uniform, normal or pareto",
		"queue=0":                               "a queue of 0",
		"queue=0kB":                             "a queue of 0",
		"queue=10/0":                            "a queue of 0",
		"queue=-1":                              "negative",
		"queue=1kB":                             "no room for a packet of 1500",
		"rate=1Mbit,queue=1000000":              "1500 MB of packets",
		"rate=1Mbit,queue=900MB":                "900 MB of packets",
		"delay=30s,rate=10Gbit":                 "37502 MB of packets",
		"delay=1ms,jitter=1s/pareto,rate=1Gbit": "MB of packets",
		"frames=0/0":                            "frames of 0 bytes",
		"frames=-1/0":                           "no frames of -1/0 bytes",
		"frames=100/-1":                         "no frames of 100/-1 bytes",
		"frames=100/100":                        "no room for a packet",
		"frames=100/50/50":                      "no room for a packet",
		"frames=2000000000/2000000000/2000000000": "no frames of",
		"mtu=65535,frames=11/10":                  "takes 65535 frames",
	} {
		_, err := Find(text)
		var impossible *Impossible
		if !errors.As(err, &impossible) || impossible.Reason == "" || impossible.Hint == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPossible: what looks odd and is not refused.
func TestPossible(t *testing.T) {
	for _, text := range []string{
		"mtu=68,frames=127/55", "mtu=576", "mtu=65535", "family=6,mtu=1280", "delay=1m", "loss=100%", "rate=none,queue=1000000",
		"delay=5ms,jitter=5ms", "delay=6ms,jitter=2ms/normal", "jitter=1ms/pareto", "rate=100Gbit", "rate=250bit,mtu=1280",
		"queue=1", "queue=1500B", "delay=60s", "delay=60s,rate=1Mbit",
	} {
		if _, err := Find(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestCheckByHand: profiles that no text made.
func TestCheckByHand(t *testing.T) {
	if err := (Profile{}).Check(); err != nil {
		t.Errorf("a link that changes nothing: %v", err)
	}
	for name, p := range map[string]Profile{
		"NaN":      {Up: Direction{Loss: Loss{Share: math.NaN()}}},
		"infinite": {Down: Direction{Duplicate: math.Inf(1)}},
		"overflow": {Up: Direction{Delay: math.MaxInt64}},
		"spread":   {Up: Direction{Jitter: Jitter{math.MaxInt64, Pareto}}},
		"least":    {Up: Direction{Jitter: Jitter{math.MinInt64, Normal}}},
		"queue":    {Up: Direction{Rate: 1, Queue: Queue{Packets: math.MaxInt}}},
		"rate":     {Up: Direction{Rate: math.MinInt64}},
		"mtu":      {MTU: math.MinInt},
		"frames":   {Frames: Frames{Header: 1}},
		"first":    {Frames: Frames{Size: 10, First: math.MaxInt}},
	} {
		var impossible *Impossible
		if err := p.Check(); !errors.As(err, &impossible) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		f             Frames
		packet        int
		count, length int
	}{
		{Frames{}, 1500, 1, 1500},
		{Frames{127, 55, 0}, 1, 1, 56},
		{Frames{127, 55, 0}, 72, 1, 127},
		{Frames{127, 55, 0}, 73, 2, 183},
		{Frames{127, 55, 0}, 1280, 18, 1280 + 18*55},
		{Frames{127, 55, 10}, 62, 1, 127},
		{Frames{127, 55, 10}, 63, 2, 183},
		{Frames{250, 8, 0}, 1280, 6, 1280 + 6*8},
	} {
		if count, length := c.f.Count(c.packet), c.f.Bytes(c.packet); count != c.count || length != c.length {
			t.Errorf("%v: %d bytes in %d frames of %d bytes together, want %d and %d", c.f, c.packet, count, length, c.count, c.length)
		}
	}
}

func TestReach(t *testing.T) {
	for shape, want := range map[string]string{"": "1ms", Uniform: "1ms", Normal: "3ms", Pareto: "20ms"} {
		if got := (Jitter{time.Millisecond, shape}).reach(); got.String() != want {
			t.Errorf("%q reaches %v, want %s", shape, got, want)
		}
	}
}
