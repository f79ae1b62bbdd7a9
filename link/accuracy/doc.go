// Package accuracy measures how true the emulator is on this machine: it opens
// links, sends packets over them, and holds the round trips, rates, losses and the
// cost of the emulator against what the links should do.
package accuracy

// Options are how [Measure] goes about it.
type Options struct {
	Emulator []string // program and arguments of [shakedown/link/emulate.Main]
	Quick    bool     // fewer settings and shorter: 10 s instead of 40
	Seed     uint64   // of the losses
	// Begin is told what is measured next and how much of all is done, Tell of each
	// row. Both may be nil.
	Begin func(next Row, done, all int)
	Tell  func(Row)
}
