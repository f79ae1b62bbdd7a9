package machine

// Since gives the load between an earlier reading and this one.
func (r Reading) Since(before Reading) Usage {
	return Usage{
		Busy:        r.Busy - before.Busy,
		Steal:       r.Steal - before.Steal,
		Total:       r.Total - before.Total,
		MemoryShare: r.MemoryUsed,
	}
}

// Add joins two usages; the memory share is the mean weighted by time.
func (u Usage) Add(v Usage) Usage {
	total := u.Total + v.Total
	sum := Usage{Busy: u.Busy + v.Busy, Steal: u.Steal + v.Steal, Total: total, MemoryShare: v.MemoryShare}
	if total > 0 {
		sum.MemoryShare = (u.MemoryShare*u.Total + v.MemoryShare*v.Total) / total
	}
	return sum
}

// CPUShare is the share of processor time that was in use, 0 to 1. It is false
// where the kernel's counters did not move or do not exist.
func (u Usage) CPUShare() (float64, bool) {
	if u.Total <= 0 {
		return 0, false
	}
	return min(1, max(0, u.Busy/u.Total)), true
}

// StealShare is the share of processor time that other guests of the same host
// took, 0 to 1.
func (u Usage) StealShare() float64 {
	if u.Total <= 0 {
		return 0
	}
	return u.Steal / u.Total
}
