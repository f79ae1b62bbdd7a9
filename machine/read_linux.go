package machine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// ticks is the kernel's USER_HZ, 100 on every Linux architecture that Go knows.
const ticks = 100

// Read looks at /proc/stat and /proc/meminfo.
func Read() (Reading, error) {
	var r Reading
	cpu := r.cpu("/proc/stat")
	return r, errors.Join(cpu, r.memory("/proc/meminfo"))
}

// cpu reads the line of all processors: user, nice, system, idle, iowait, irq,
// softirq, steal, guest, guest_nice (proc(5)). Guest time is part of user time.
// Busy is what sar -u shows as %user, %nice, %system and %steal together.
func (r *Reading) cpu(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, 4096)).ReadString('\n')
	fields := strings.Fields(line)
	if err != nil || len(fields) < 9 || fields[0] != "cpu" {
		return errors.Join(fmt.Errorf("%s: not the processor line expected: %.60q", file, line), err)
	}
	var t [8]float64
	for i := range t {
		n, err := strconv.ParseUint(fields[i+1], 10, 64)
		if err != nil {
			return fmt.Errorf("%s: field %d: %w", file, i+1, err)
		}
		t[i] = float64(n) / ticks
	}
	for _, v := range t {
		r.Total += v
	}
	r.Busy = r.Total - t[3] - t[4]
	r.Steal = t[7]
	return nil
}

// memory computes the share in use as sar -r does: what is neither free nor
// buffers, page cache or slab.
func (r *Reading) memory(file string) error {
	m, err := meminfo(file)
	if err != nil {
		return err
	}
	total := m["MemTotal"]
	if total == 0 {
		return fmt.Errorf("%s: no MemTotal", file)
	}
	unused := m["MemFree"] + m["Buffers"] + m["Cached"] + m["Slab"]
	r.MemoryUsed = max(0, 1-unused/total)
	return nil
}

// meminfo reads the file's fields, in KiB.
func meminfo(file string) (map[string]float64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := map[string]float64{}
	for scan := bufio.NewScanner(io.LimitReader(f, 64<<10)); scan.Scan(); {
		name, rest, found := strings.Cut(scan.Text(), ":")
		value, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
		if found && err == nil {
			m[name] = value
		}
	}
	return m, nil
}
