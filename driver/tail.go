package driver

import (
	"strings"
	"sync"
)

// Tail keeps the last bytes written to it: what a program said before it ended.
type Tail struct {
	Limit int // bytes

	mu   sync.Mutex
	data []byte
}

// Write never fails.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b...)
	if over := len(t.data) - t.Limit; over > 0 {
		t.data = append([]byte(nil), t.data[over:]...)
	}
	return len(b), nil
}

// String returns what is kept, without space around it.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.data))
}
