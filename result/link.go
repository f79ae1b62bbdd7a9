package result

import "fmt"

// Link is an emulated link as it was in a case.
type Link struct {
	Profile string `json:"profile"` // all its settings but defaults, as --link takes them
	Source  string `json:"source"`  // of its figures
	Seed    uint64 `json:"seed"`    // block n begins with this and n: the n-th packet of a direction has the same fate each time
	// Settings of the kernel that were in force, as read back, by the names that
	// sysctl has; those of the route are "route.congctl" and "route.initcwnd".
	Settings map[string]string `json:"settings,omitempty"`
	Carried
}

// Carried is what an emulated link did to the packets of a block, or of all timed
// blocks of a row.
type Carried struct {
	Packets    int     `json:"packets"`              // of both directions
	Lost       int     `json:"lost,omitempty"`       // by chance
	Full       int     `json:"full,omitempty"`       // dropped by a full queue, or by CoDel
	Aimed      int     `json:"aimed,omitempty"`      // dropped or held for what they carry
	TooBig     int     `json:"too_big,omitempty"`    // too long for the hop behind the link
	Duplicated int     `json:"duplicated,omitempty"` // that came twice
	Reordered  int     `json:"reordered,omitempty"`  // that overtook others
	Frames     int     `json:"frames,omitempty"`     // that were sent, where there are frames
	Late       Late    `json:"late"`
	CPU        float64 `json:"cpu"` // s of processor time of the emulator
}

// Late is the error of the emulator itself: by how much packets left it after they
// were due.
type Late struct {
	Packets int     `json:"packets"`
	Median  float64 `json:"median"` // s; of a row, that of the worst block, as P99
	P99     float64 `json:"p99"`
	Max     float64 `json:"max"`
	Over    int     `json:"over,omitempty"` // by more than 0.1 ms and 1 % of the round trip
}

// Add adds what another block carried.
func (c *Carried) Add(o Carried) {
	c.Packets += o.Packets
	c.Lost += o.Lost
	c.Full += o.Full
	c.Aimed += o.Aimed
	c.TooBig += o.TooBig
	c.Duplicated += o.Duplicated
	c.Reordered += o.Reordered
	c.Frames += o.Frames
	c.CPU += o.CPU
	c.Late = Late{
		Packets: c.Late.Packets + o.Late.Packets, Over: c.Late.Over + o.Late.Over,
		Median: max(c.Late.Median, o.Late.Median), P99: max(c.Late.P99, o.Late.P99), Max: max(c.Late.Max, o.Late.Max),
	}
}

// tolerated is the share of packets that may be late without a warning.
const tolerated = 0.01

// Doubt is a warning that the emulator could not keep up, or "".
func (l Late) Doubt() string {
	if float64(l.Over) <= tolerated*float64(l.Packets) {
		return ""
	}
	return fmt.Sprintf("the link emulator could not keep up: %d of %d packets left it more than 0.1 ms and 1 %% of the round trip late, the worst by %.1f ms",
		l.Over, l.Packets, 1e3*l.Max)
}
