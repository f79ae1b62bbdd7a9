package caddy

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shakedown/driver"
)

// fake writes a program that says it is a Caddy of a version.
func fake(t *testing.T, dir, version string) {
	t.Helper()
	script := "#!/bin/sh\n[ \"$1\" = version ] && echo '" + version + "'\n"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "caddy"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// places sets $PATH and the user's cache directory to new ones.
func newPlaces(t *testing.T) (path, peers string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	path = filepath.Join(home, "bin")
	t.Setenv("PATH", path)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return path, filepath.Join(cache, "shakedown", "peers")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ path, peers, want, why string }{
		{"", "", "", "no program caddy"},
		{"v2.11.4 h1:abc=", "", "2.11.4", ""},
		{"v2.11.4 h1:abc=", "v2.11.9 h1:abc=", "2.11.4", ""},
		{"2.6.2", "v2.11.9", "2.11.9", ""},
		{"2.6.2", "", "", "2.6.2\", older than 2.11"},
		{"2.6.2", "v2.10.9", "", "2.10.9\", older"},
		{"v2.12.0-beta.1", "", "2.12.0-beta.1", ""},
		{"v3.0.0", "", "3.0.0", ""},
		{"unknown", "", "", "older"},
	} {
		path, peers := newPlaces(t)
		if c.path != "" {
			fake(t, path, c.path)
		}
		if c.peers != "" {
			fake(t, peers, c.peers)
		}
		got, err := Find(t.Context(), "")
		if got.Version != c.want {
			t.Errorf("%q on $PATH, %q built here: %q, %v", c.path, c.peers, got.Version, err)
		}
		var missing *MissingError
		if c.why != "" && (!errors.As(err, &missing) || !strings.Contains(err.Error(), c.why) || missing.Hint != "make peers") {
			t.Errorf("%q on $PATH, %q built here: %v", c.path, c.peers, err)
		}
	}
}

// TestFindInDirectory: a directory that is named stands for itself alone.
func TestFindInDirectory(t *testing.T) {
	path, _ := newPlaces(t)
	fake(t, path, "v2.11.4")
	dir := t.TempDir()
	if _, err := Find(t.Context(), dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("%v", err)
	}
	fake(t, dir, "v2.11.5")
	if got, err := Find(t.Context(), dir); err != nil || got.Version != "2.11.5" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestInfo: what Caddy says of itself agrees with the crypto/tls that it is
// built on.
func TestInfo(t *testing.T) {
	program := needCaddy(t)
	got, err := driver.Describe(patience(t), command(t, "caddy"))
	if err != nil {
		t.Fatal(err)
	}
	base, err := driver.Describe(patience(t), command(t, "go"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Version != program.Version || !strings.HasPrefix(got.Library, "Caddy v"+program.Version) || got.Application != "http" {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got.Verbs, []string{"info", "serve"}) || !slices.Equal(got.Modes, []string{"full", "resumed"}) || !got.Mutual {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got.Versions, base.Versions) || len(got.Groups) < 5 || got.Groups[0] != "X25519MLKEM768" {
		t.Errorf("versions %q, groups %q", got.Versions, got.Groups)
	}
	for _, name := range got.Groups {
		if !slices.Contains(base.Groups, name) {
			t.Errorf("group %s is not in crypto/tls", name)
		}
	}
	for _, name := range []string{"connect", "record", "early-data", "psk", "resumed mutual"} {
		if got.Cannot[name] == "" {
			t.Errorf("no reason for %s", name)
		}
	}
}

// TestNotThere: a driver without a Caddy says what brings one.
func TestNotThere(t *testing.T) {
	newPlaces(t)
	for _, args := range [][]string{{"info"}, {"serve", "--listen", "127.0.0.1:0"}} {
		var out, said strings.Builder
		if status := Main(args, strings.NewReader(""), &out, &said); status != 1 {
			t.Errorf("%q ends with %d", args, status)
		}
		if !strings.Contains(out.String(), `"reason":"setup"`) || !strings.Contains(out.String(), "make peers") {
			t.Errorf("%q: %s", args, out.String())
		}
	}
}

// TestWrongUse ends with 2, and nothing on standard output.
func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{
		{},
		{"connect", "--to", "127.0.0.1:1"},
		{"op", "record"},
		{"serve"},
		{"info", "--listen", "x"},
		{"serve", "--listen", "127.0.0.1:0", "--cert", "x"},
		{"serve", "--listen", "127.0.0.1:0", "--mutual"},
	} {
		var out, said strings.Builder
		if status := Main(args, strings.NewReader(""), &out, &said); status != 2 || out.Len() > 0 || said.Len() == 0 {
			t.Errorf("%q ends with %d: %s%s", args, status, out.String(), said.String())
		}
	}
}
