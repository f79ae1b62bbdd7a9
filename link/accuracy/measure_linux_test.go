package accuracy

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"shakedown/link/emulate"
	"shakedown/link/space"
)

// emulator makes the test program the emulator.
const emulator = "emulator"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == emulator {
		os.Exit(emulate.Main(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestMeasure measures a little of each kind. How true that is depends on the
// machine; that there is a figure does not.
func TestMeasure(t *testing.T) {
	trip, full, lossy := tripCheck(2*time.Millisecond, true), rateCheck("1Mbit", 1e6, true), lossCheck("down", 1000)
	trip.count, full.count = 3, 10
	for _, c := range []check{trip, full, lossy} {
		err := c.measure(t.Context(), Options{Emulator: []string{"/proc/self/exe", emulator}, Seed: 1})
		var refused *space.RefusedError
		if errors.As(err, &refused) {
			t.Skip(err, refused.Hint)
		}
		if err != nil || c.Got <= 0 || c.Note == "" {
			t.Errorf("%s with %s: %v, %+v", c.Name, c.Setting, err, c.Row)
		}
		if c.Name == "loss" && c.Got > 0.1 {
			t.Errorf("a link that loses 1 %% lost %v: %s", c.Got, c.Note)
		}
	}
}

// TestInterrupted: what was measured is kept, and why there is no more is said.
func TestInterrupted(t *testing.T) {
	why := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	told := 0
	rows, err := Measure(ctx, Options{
		Emulator: []string{"/proc/self/exe", emulator}, Quick: true,
		Begin: func(_ Row, done, _ int) {
			if done == 1 {
				stop(why)
			}
		},
		Tell: func(Row) { told++ },
	})
	var refused *space.RefusedError
	if errors.As(err, &refused) {
		t.Skip(err, refused.Hint)
	}
	if !errors.Is(err, why) || len(rows) != 1 || told != 1 {
		t.Errorf("%d rows, %d told, %v", len(rows), told, err)
	}
}
