//go:build !linux

package accuracy

import (
	"context"

	"shakedown/link"
)

// Measure refuses with a *[space.RefusedError]: emulated links need Linux.
func Measure(context.Context, Options) ([]Row, error) {
	_, err := link.Open(link.Options{})
	return nil, err
}
