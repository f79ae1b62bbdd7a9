package native

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"shakedown/driver"
	"shakedown/driver/check"
)

// places are the machine itself and the roots that scripts/make-root makes.
func places(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{"machine": ""}
	cache, err := os.UserCacheDir()
	if err != nil {
		return found
	}
	for _, suite := range []string{"trixie", "bullseye"} {
		root := filepath.Join(cache, "shakedown", "roots", suite)
		if _, err := os.Stat(filepath.Join(root, ".shakedown-root")); err == nil {
			found[suite] = root
		} else if os.Getenv("CI") == "true" {
			t.Errorf("no root %s: scripts/make-root %s brings it", suite, suite)
		} else {
			t.Logf("no root %s (scripts/make-root %s brings it): its libraries are not tested", suite, suite)
		}
	}
	return found
}

// onlyIn lists what a place need not have: bullseye is there for OpenSSL 1.1.1.
func onlyIn(place, library string) bool { return place != "bullseye" || library == "openssl" }

// TestDrivers compiles every driver against every place and runs the
// conformance suite on it.
func TestDrivers(t *testing.T) {
	for place, root := range places(t) {
		for _, lib := range Libraries() {
			if !onlyIn(place, lib.Name) {
				continue
			}
			t.Run(lib.Name+"/"+place, func(t *testing.T) { conform(t, lib, root) })
		}
	}
}

// built is the driver of a library of a place; without the library it skips.
func built(t *testing.T, lib Library, root string) driver.Command {
	t.Helper()
	program, err := Build(context.Background(), lib, root, func(s string) { t.Log(s) })
	var missing *MissingError
	if errors.As(err, &missing) && os.Getenv("CI") != "true" {
		t.Skipf("%v (%s)", err, missing.Hint)
	}
	if err != nil {
		t.Fatal(err)
	}
	return driver.Command{Path: program}
}

func conform(t *testing.T, lib Library, root string) {
	program := built(t, lib, root)
	results, err := check.Run(context.Background(), program, driver.Command{}, func(r check.Result) {
		if !r.OK {
			t.Errorf("%s: %s", r.Name, r.Detail)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d checks", len(results))
}
