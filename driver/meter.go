package driver

import (
	"runtime"
	"runtime/debug"
)

// meter watches the memory of this process, when asked to.
type meter struct {
	on   bool
	idle int64 // bytes at the end of set-up
}

// ready ends the set-up.
func (m *meter) ready() {
	m.restart()
	if m.on {
		m.idle = residentNow()
	}
}

// restart begins a block: what earlier ones left behind is collected now and
// not within it. The collector is otherwise as every program has it.
func (m *meter) restart() {
	if !m.on {
		runtime.GC()
		return
	}
	debug.FreeOSMemory()
	resetPeak()
}

// read gives the block's peak, nil when not asked for or not to be had.
func (m *meter) read() *Memory {
	if !m.on || memoryKind == "" {
		return nil
	}
	return &Memory{What: memoryKind, Idle: m.idle, Peak: residentPeak()}
}
