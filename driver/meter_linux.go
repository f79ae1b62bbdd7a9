package driver

import (
	"bytes"
	"os"
	"strconv"
)

// memoryKind is what `--memory` measures: the resident set (docs/driver.md).
const memoryKind = "rss"

// residentNow and residentPeak read proc(5), bytes.
func residentNow() int64  { return statusBytes("VmRSS:") }
func residentPeak() int64 { return statusBytes("VmHWM:") }

// resetPeak sets the peak back to what is resident now (proc(5), clear_refs).
// Where that is not permitted the peak is that of the whole process.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// statusBytes reads a field of /proc/self/status, 0 where there is none.
func statusBytes(field string) int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, after, _ := bytes.Cut(status, []byte(field))
	line, _, _ := bytes.Cut(after, []byte("kB"))
	n, _ := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	return n << 10
}
