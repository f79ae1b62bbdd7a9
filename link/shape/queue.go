package shape

import "time"

// fifo is a queue of packets.
type fifo struct {
	items []*item
	first int
	bytes int // of all of them
}

func (q *fifo) len() int    { return len(q.items) - q.first }
func (q *fifo) head() *item { return q.items[q.first] }

func (q *fifo) push(it *item) {
	q.items = append(q.items, it)
	q.bytes += len(it.data)
}

// pop takes the head out. The room in front is used again when it is half of all.
func (q *fifo) pop() {
	q.bytes -= len(q.head().data)
	q.items[q.first] = nil
	q.first++
	if q.first > len(q.items)/2 {
		n := copy(q.items, q.items[q.first:])
		clear(q.items[n:])
		q.items, q.first = q.items[:n], 0
	}
}

// flight is the packets that are on their way, a heap by the time at which they are
// due; those of one time stay in order.
type flight struct {
	items  []*item
	orders uint64
}

func (f *flight) due() (time.Duration, bool) {
	if len(f.items) == 0 {
		return 0, false
	}
	return f.items[0].due, true
}

func (f *flight) less(i, j int) bool {
	a, b := f.items[i], f.items[j]
	return a.due < b.due || a.due == b.due && a.order < b.order
}

func (f *flight) push(it *item) {
	f.orders++
	it.order = f.orders
	f.items = append(f.items, it)
	for i := len(f.items) - 1; i > 0 && f.less(i, (i-1)/2); i = (i - 1) / 2 {
		f.items[i], f.items[(i-1)/2] = f.items[(i-1)/2], f.items[i]
	}
}

func (f *flight) pop() *item {
	top, last := f.items[0], len(f.items)-1
	f.items[0], f.items[last] = f.items[last], nil
	f.items = f.items[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(f.items); child++ {
			if f.less(child, least) {
				least = child
			}
		}
		if least == i {
			return top
		}
		f.items[i], f.items[least] = f.items[least], f.items[i]
		i = least
	}
}
