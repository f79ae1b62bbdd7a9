package machine

// memory reads how much memory the machine has.
func (e *Environment) memory() {
	if m, err := meminfo("/proc/meminfo"); err == nil {
		e.MemoryKiB = int64(m["MemTotal"])
	}
}
