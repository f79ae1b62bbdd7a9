//go:build !linux

package caddy

import (
	"os"
	"os/exec"
	"time"
)

// memoryKind is empty: the memory of another process is not told here.
const memoryKind = ""

// What other systems do not do, or not in one way.
func dieTogether(*exec.Cmd)   {}
func cpuOf(int) time.Duration { return 0 }
func socketsOf(int) int       { return -1 }
func residentNow(int) int64   { return 0 }
func residentPeak(int) int64  { return 0 }
func resetPeak(int)           {}
func widen(*os.File)          {}
