package machine

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// Describe looks at the machine. What it does not tell stays empty.
func Describe() Environment {
	e := Environment{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version()}
	e.Kernel = line("/proc/sys/kernel/osrelease")
	e.Governor = line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
	e.Clock = line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	e.Virtual = line("/sys/class/dmi/id/sys_vendor")
	e.cpu("/proc/cpuinfo")
	e.memory()
	return e
}

// line reads the first line of a small file, "" where there is none.
func line(file string) string {
	data, _ := os.ReadFile(file)
	first, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(first)
}

// features are the instructions that matter to cryptography: AES, carry-less
// multiplication, SHA, vectors; x86 and Arm names.
var features = []string{
	"aes", "pclmulqdq", "vaes", "vpclmulqdq", "sha_ni", "avx2", "avx512f", "avx512ifma", "bmi2", "adx",
	"neon", "asimd", "pmull", "sha1", "sha2", "sha3", "sha512", "sve",
}

// cpu reads model and instructions of the first processor.
func (e *Environment) cpu(file string) {
	data, _ := os.ReadFile(file)
	for text := range strings.SplitSeq(string(data), "\n") {
		name, value, _ := strings.Cut(text, ":")
		switch strings.TrimSpace(name) {
		case "model name", "Model", "cpu model", "uarch":
			if e.CPU == "" {
				e.CPU = strings.TrimSpace(value)
			}
		case "flags", "Features", "isa":
			if e.Features == nil {
				e.Features = known(strings.Fields(value))
			}
		}
	}
}

func known(flags []string) []string {
	found := []string{}
	for _, f := range features {
		if slices.Contains(flags, f) {
			found = append(found, f)
		}
	}
	return found
}
