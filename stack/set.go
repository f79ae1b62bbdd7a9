package stack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"shakedown/driver"
	"shakedown/spec"
	"shakedown/stack/caddy"
	"shakedown/stack/native"
)

// MissingError says that a stack is not on this machine, and how to get it.
type MissingError struct {
	Stack string // as asked: "openssl@3.5"
	Why   string
	Hint  string // one command, or empty
}

// Error says what is missing and why.
func (e *MissingError) Error() string {
	if e.Hint == "" {
		return fmt.Sprintf("%s is not here: %s", e.Stack, e.Why)
	}
	return fmt.Sprintf("%s is not here: %s (hint: %s)", e.Stack, e.Why, e.Hint)
}

// Set finds the stacks of this machine, each when it is first asked for.
type Set struct {
	// Note is told what takes long: a driver is being compiled.
	Note func(string)

	self  string   // this program, which is the driver of the Go stacks and of Caddy
	roots []string // directories of other distributions

	mu    sync.Mutex
	known map[place]found
}

// place is where a stack may be: a name and a root, "" for the machine itself.
type place struct{ name, root string }

type found struct {
	stack *Stack
	err   error
}

// NewSet looks at the machine through the program self (see [os.Executable]).
// Roots are those of $SHAKEDOWN_ROOTS (a list like $PATH) and of the user's cache
// directory, where scripts/make-root puts them.
func NewSet(self string, note func(string)) *Set {
	return &Set{Note: note, self: self, roots: Roots(), known: map[place]found{}}
}

// Roots lists the directories of other distributions.
func Roots() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("SHAKEDOWN_ROOTS")) {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	if cache, err := os.UserCacheDir(); err == nil {
		made, _ := filepath.Glob(filepath.Join(cache, "shakedown", "roots", "*", ".shakedown-root"))
		for _, stamp := range made {
			dirs = append(dirs, filepath.Dir(stamp))
		}
	}
	return dirs
}

// goStacks are the stacks inside this binary.
func goStacks() []string { return []string{"go"} }

// programs are the servers that are programs of their own.
func programs() []string { return []string{"caddy"} }

// Names lists the stacks that this version can operate.
func Names() []string {
	names := goStacks()
	for _, l := range native.Libraries() {
		names = append(names, l.Name)
	}
	return append(names, programs()...)
}

// Resolve finds the stack that a reference names. The error is a *MissingError
// where the machine does not have it.
func (s *Set) Resolve(ctx context.Context, ref spec.StackRef) (*Stack, error) {
	if !slices.Contains(Names(), ref.Name) {
		return nil, &MissingError{ref.String(), "this version of shakedown has no driver for it", ""}
	}
	var first error
	for _, root := range s.places(ref) {
		st, err := s.at(ctx, place{ref.Name, root})
		if err == nil && spec.CoversVersion(ref.Version, st.Info.Version) {
			return st, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		first = cmp.Or(first, err)
	}
	return nil, s.missing(ref, first)
}

// places lists where to look, the machine itself first.
func (s *Set) places(ref spec.StackRef) []string {
	switch {
	case slices.Contains(goStacks(), ref.Name):
		return []string{""}
	case ref.Root != "":
		return []string{expandHome(ref.Root)}
	case slices.Contains(programs(), ref.Name):
		return []string{""}
	}
	return append([]string{""}, s.roots...)
}

func expandHome(dir string) string {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// missing says why a reference has no stack here.
func (s *Set) missing(ref spec.StackRef, err error) error {
	var lacks *native.MissingError
	var absent *MissingError
	switch {
	case errors.As(err, &absent):
		return &MissingError{ref.String(), absent.Why, absent.Hint}
	case ref.Version != "":
		return &MissingError{ref.String(), "no " + ref.Name + " of that version" + s.others(ref.Name), rootHint(ref)}
	case errors.As(err, &lacks):
		return &MissingError{ref.String(), lacks.What, lacks.Hint}
	}
	return &MissingError{ref.String(), err.Error(), ""}
}

// others lists the versions that are here.
func (s *Set) others(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var here []string
	for p, f := range s.known {
		if p.name == name && f.err == nil {
			here = append(here, f.stack.Info.Version)
		}
	}
	if len(here) == 0 {
		return ""
	}
	slices.Sort(here)
	return "; here: " + strings.Join(here, ", ")
}

// rootHint is the command that brings a version of another Debian release.
func rootHint(ref spec.StackRef) string {
	for _, r := range []struct{ stack, version, suite string }{
		{"openssl", "3.5", "trixie"},
		{"openssl", "1.1.1", "bullseye"},
		{"wolfssl", "5.7", "trixie"},
		{"mbedtls", "3.6", "trixie"},
		{"gnutls", "3.8", "trixie"},
	} {
		if r.stack == ref.Name && strings.HasPrefix(ref.Version, r.version) {
			return "scripts/make-root " + r.suite
		}
	}
	return ref.Name + ":DIR names a directory that holds another version"
}

// at finds one stack at one place, once.
func (s *Set) at(ctx context.Context, p place) (*Stack, error) {
	s.mu.Lock()
	f, asked := s.known[p]
	s.mu.Unlock()
	if asked {
		return f.stack, f.err
	}
	f.stack, f.err = s.probe(ctx, p)
	if ctx.Err() == nil {
		s.mu.Lock()
		s.known[p] = f
		s.mu.Unlock()
	}
	return f.stack, f.err
}

// command finds the driver of a stack, and builds it where that must be done.
func (s *Set) command(ctx context.Context, p place) (driver.Command, error) {
	if lib, isNative := native.Find(p.name); isNative {
		program, err := native.Build(ctx, lib, p.root, s.Note)
		return driver.Command{Path: program}, err
	}
	own := driver.Command{Path: s.self, Args: []string{"driver", p.name}}
	if p.name != "caddy" {
		return own, nil
	}
	_, err := caddy.Find(ctx, p.root)
	var lacks *caddy.MissingError
	if errors.As(err, &lacks) {
		return own, &MissingError{p.name, lacks.What, lacks.Hint}
	}
	if p.root != "" {
		own.Env = []string{caddy.DirVariable + "=" + p.root}
	}
	return own, err
}

// probe asks a driver what its stack can do.
func (s *Set) probe(ctx context.Context, p place) (*Stack, error) {
	command, err := s.command(ctx, p)
	if err != nil {
		return nil, err
	}
	info, err := driver.Describe(ctx, command)
	if err != nil {
		return nil, fmt.Errorf("the %s driver: %w", p.name, err)
	}
	return &Stack{Name: p.name + "@" + info.Version, Root: p.root, Command: command, Info: info}, nil
}

// Here names one stack of each kind that this machine has and that can be both
// ends of a connection: its own before those of roots.
func (s *Set) Here(ctx context.Context) []string {
	s.probeAll(ctx, func(name string) []string { return s.places(spec.StackRef{Name: name})[:1] })
	var names []string
	for _, name := range Names() {
		st, err := s.Resolve(ctx, spec.StackRef{Name: name})
		if err == nil && st.can("serve") && st.can("connect") {
			names = append(names, st.Name)
		}
	}
	return names
}

// probeAll asks the stacks at the given places at the same time, as many as
// there are processors: compiling and probing a library takes a second.
func (s *Set) probeAll(ctx context.Context, places func(name string) []string) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for _, name := range Names() {
		for _, root := range places(name) {
			slots <- struct{}{}
			wait.Go(func() {
				_, _ = s.at(ctx, place{name, root}) // kept for who asks later
				<-slots
			})
		}
	}
	wait.Wait()
}

// Entry is a stack, or why it is not here.
type Entry struct {
	Name  string
	Root  string
	Stack *Stack
	Err   error
}

// All lists every stack at every place, in the order of Names: what `stacks`
// prints. Roots that lack a library are left out.
func (s *Set) All(ctx context.Context) []Entry {
	s.probeAll(ctx, func(name string) []string { return s.places(spec.StackRef{Name: name}) })
	var out []Entry
	for _, name := range Names() {
		for _, root := range s.places(spec.StackRef{Name: name}) {
			st, err := s.at(ctx, place{name, root})
			var lacks *native.MissingError
			if errors.As(err, &lacks) && root != "" {
				continue
			}
			out = append(out, Entry{name, root, st, err})
		}
	}
	return out
}
