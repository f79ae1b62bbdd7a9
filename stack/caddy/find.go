package caddy

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// DirVariable is the environment variable that names a directory with a `caddy`
// program; then none is sought elsewhere.
const DirVariable = "SHAKEDOWN_CADDY"

func chosen() string { return os.Getenv(DirVariable) }

// oldest is the first release that can be operated: from it on Caddy takes
// X25519MLKEM768 by name and resumes as crypto/tls of today does.
const oldest = "2.11"

// versionDeadline bounds `caddy version`, which takes a tenth of a second.
const versionDeadline = 20 * time.Second

// Program is a Caddy that can be operated.
type Program struct {
	Path    string
	Version string // "2.11.9"
}

// MissingError says that this machine has no Caddy that can be operated.
type MissingError struct {
	What string
	Hint string // the command that brings one, or empty
}

// Error says what is missing and what to do.
func (e *MissingError) Error() string {
	if e.Hint == "" {
		return e.What
	}
	return fmt.Sprintf("%s (hint: %s)", e.What, e.Hint)
}

// Find looks for a Caddy of at least 2.11: in the directory, or without one on
// $PATH and then where `make peers` puts it. The error is a *MissingError.
func Find(ctx context.Context, dir string) (Program, error) {
	if runtime.GOOS == "windows" {
		return Program{}, &MissingError{What: "Caddy is operated on Unix, where it can inherit a socket"}
	}
	var refused []string
	for _, path := range places(dir) {
		program, err := examine(ctx, path)
		if err == nil {
			return program, nil
		}
		if ctx.Err() != nil {
			return Program{}, context.Cause(ctx)
		}
		if !errors.Is(err, os.ErrNotExist) {
			refused = append(refused, err.Error())
		}
	}
	switch {
	case len(refused) > 0:
		return Program{}, &MissingError{strings.Join(refused, "; "), "make peers"}
	case dir != "":
		return Program{}, &MissingError{"no program caddy in " + dir, "make peers"}
	}
	return Program{}, &MissingError{"no program caddy on $PATH and none that was built here", "make peers"}
}

// places are the files that may be Caddy, the first that will do is taken.
func places(dir string) []string {
	if dir != "" {
		return []string{filepath.Join(dir, "caddy")}
	}
	var files []string
	if path, err := exec.LookPath("caddy"); err == nil {
		files = append(files, path)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		files = append(files, filepath.Join(cache, "shakedown", "peers", "caddy"))
	}
	return files
}

// examine finds out which Caddy a program is.
func examine(ctx context.Context, path string) (Program, error) {
	if _, err := os.Stat(path); err != nil {
		return Program{}, err
	}
	version := builtFrom(path)
	if version == "" {
		words, err := versionWords(ctx, path)
		if err != nil {
			return Program{}, err
		}
		version, _, _ = strings.Cut(words, " ")
	}
	version = strings.TrimPrefix(version, "v")
	if !recent(version) {
		return Program{}, fmt.Errorf("%s is Caddy %.40q, older than %s", path, version, oldest)
	}
	return Program{Path: path, Version: version}, nil
}

// builtFrom reads the version of Caddy's module that stands in the program, in a
// tenth of the time that the program takes to say it; empty where it does not.
func builtFrom(path string) string {
	const module = "github.com/caddyserver/caddy/v2"
	built, err := buildinfo.ReadFile(path)
	if err != nil {
		return ""
	}
	for _, m := range append(built.Deps, &built.Main) {
		if m.Path == module && m.Replace == nil && strings.HasPrefix(m.Version, "v") {
			return m.Version
		}
	}
	return ""
}

// versionWords is the first line of what `caddy version` says.
func versionWords(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.WaitDelay = time.Second
	said, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s does not tell its version: %w", path, err)
	}
	words, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return words, nil
}

// library is what the program says of itself, and the Go it was built with,
// whose crypto/tls it has.
func (p Program) library(ctx context.Context) (string, error) {
	words, err := versionWords(ctx, p.Path)
	if built, failed := buildinfo.ReadFile(p.Path); failed == nil {
		words += " (" + built.GoVersion + ")"
	}
	return "Caddy " + words, err
}

// recent tells whether "2.11.9" is at least the oldest that will do.
func recent(version string) bool {
	major, minor, known := release(version)
	least, leastMinor, _ := release(oldest)
	return known && (major > least || major == least && minor >= leastMinor)
}

// release reads the first two numbers of a version.
func release(version string) (major, minor int, known bool) {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	second, _, _ = strings.Cut(second, "-")
	major, err := strconv.Atoi(first)
	minor, other := strconv.Atoi(second)
	return major, minor, err == nil && other == nil
}
