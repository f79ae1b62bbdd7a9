package gotls

import (
	"testing"

	"shakedown/driver"
	"shakedown/driver/check"
)

// TestConformance holds the driver against the protocol's own suite.
func TestConformance(t *testing.T) {
	_, err := check.Run(t.Context(), command(t), driver.Command{}, func(r check.Result) {
		if !r.OK {
			t.Errorf("%s: %s", r.Name, r.Detail)
		}
		t.Logf("%s: ok %v, skipped %v, %s", r.Name, r.OK, r.Skipped, r.Detail)
	})
	if err != nil {
		t.Fatal(err)
	}
}
