package stack

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shakedown/spec"
	"shakedown/stack/caddy"
	"shakedown/stack/gotls"
)

// TestMain makes the test binary the driver of the Go stack, and of Caddy.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "driver" {
		mains := map[string]func([]string, io.Reader, io.Writer, io.Writer) int{"go": gotls.Main, "caddy": caddy.Main}
		os.Exit(mains[os.Args[2]](os.Args[3:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func set(t *testing.T) *Set {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return NewSet(self, func(note string) { t.Log(note) })
}

// TestCaddy: it is found by name, version and directory, and is no client.
func TestCaddy(t *testing.T) {
	program, err := caddy.Find(t.Context(), "")
	var absent *caddy.MissingError
	if errors.As(err, &absent) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := set(t)
	for _, ref := range []spec.StackRef{
		{Name: "caddy"},
		{Name: "caddy", Version: "2"},
		{Name: "caddy", Version: program.Version},
		{Name: "caddy", Root: filepath.Dir(program.Path)},
	} {
		st, err := s.Resolve(t.Context(), ref)
		if err != nil {
			t.Fatalf("%s: %v", ref, err)
		}
		if st.Name != "caddy@"+program.Version || st.Root != ref.Root {
			t.Errorf("%s: %s in %q", ref, st.Name, st.Root)
		}
	}
	for _, ref := range []spec.StackRef{{Name: "caddy", Version: "2.6"}, {Name: "caddy", Root: t.TempDir()}} {
		var missing *MissingError
		if _, err := s.Resolve(t.Context(), ref); !errors.As(err, &missing) || missing.Hint == "" || missing.Stack != ref.String() {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// TestHere: who is here for both ends is no server alone, and `stacks` lists
// that one all the same.
func TestHere(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles drivers")
	}
	s := set(t)
	for _, name := range s.Here(t.Context()) {
		if strings.HasPrefix(name, "caddy") {
			t.Errorf("%s is no client", name)
		}
	}
	listed := slices.ContainsFunc(s.All(t.Context()), func(e Entry) bool { return e.Name == "caddy" })
	if !listed {
		t.Error("caddy is not listed")
	}
}

// TestNoCaddy: where none is, the reason has the command that brings it.
func TestNoCaddy(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "PATH"} {
		t.Setenv(name, home)
	}
	for _, ref := range []spec.StackRef{{Name: "caddy"}, {Name: "caddy", Version: "2.11"}} {
		var missing *MissingError
		_, err := set(t).Resolve(t.Context(), ref)
		if !errors.As(err, &missing) || missing.Hint != "make peers" || missing.Stack != ref.String() {
			t.Errorf("%s: %v", ref, err)
		}
	}
}
