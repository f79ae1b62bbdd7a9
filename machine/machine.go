// Package machine describes the machine that measures and its load: processor,
// kernel, clock, and the shares of processor time and memory in use, as sar
// counts them.
package machine

// Environment is what could explain a figure on the side of the machine.
type Environment struct {
	OS        string   `json:"os"`
	Arch      string   `json:"arch"`
	Kernel    string   `json:"kernel,omitempty"`
	CPU       string   `json:"cpu,omitempty"`
	CPUs      int      `json:"cpus"`
	Features  []string `json:"features,omitempty"` // CPU instructions that matter to cryptography
	Governor  string   `json:"governor,omitempty"`
	Clock     string   `json:"clock,omitempty"`   // clock source of the kernel
	Virtual   string   `json:"virtual,omitempty"` // hypervisor, where it tells
	MemoryKiB int64    `json:"memory_kib,omitempty"`
	Go        string   `json:"go"`
}

// Reading is one look at the machine's counters.
type Reading struct {
	Busy, Steal, Total float64 // s of processor time since boot, all processors
	MemoryUsed         float64 // share, 0 to 1
}

// Usage is the load between two readings.
type Usage struct {
	Busy        float64 `json:"busy"`  // s of processor time, all processors
	Steal       float64 `json:"steal"` // s given to other guests of the host
	Total       float64 `json:"total"` // s of processor time there was
	MemoryShare float64 `json:"memory_share"`
}
