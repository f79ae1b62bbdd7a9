//go:build !linux

package driver

// memoryKind is empty: this system does not tell the peak of a block.
const memoryKind = ""

func residentNow() int64  { return 0 }
func residentPeak() int64 { return 0 }
func resetPeak()          {}
