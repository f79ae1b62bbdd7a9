package seen

// queue is a [container/heap] of what has an order.
type queue[T interface{ Before(other T) bool }] []T

func (q queue[T]) Len() int           { return len(q) }
func (q queue[T]) Less(i, j int) bool { return q[i].Before(q[j]) }
func (q queue[T]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push adds the last element.
func (q *queue[T]) Push(v any) { *q = append(*q, v.(T)) }

// Pop takes the last element away.
func (q *queue[T]) Pop() any {
	last := len(*q) - 1
	v := (*q)[last]
	*q = (*q)[:last]
	return v
}
