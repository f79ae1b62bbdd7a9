package native

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build compiles the driver of a library against this machine's files (root "")
// or a root's, unless that was done before with the same sources, compiler and
// library, and returns the program. note is told before a compilation starts.
//
// The program lies in the user's cache directory. Errors are a *MissingError, a
// *CompileError, or of the file system.
func Build(ctx context.Context, lib Library, root string, note func(string)) (string, error) {
	cc, found := findCompiler()
	if !found {
		return "", &MissingError{lib, root, "no C compiler", "apt-get install gcc libc6-dev " + lib.Package}
	}
	flags, err := cc.rootFlags(root)
	if err != nil {
		return "", err
	}
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, lib.Name+"-"+key(cc, flags, lib))
	if exists(program) && exists(program+"-memory") {
		return program, nil
	}
	if !cc.has(flags, lib.Header) {
		return "", &MissingError{lib, root, "no headers (" + lib.Header + ")", "apt-get install " + lib.Package}
	}
	note(fmt.Sprintf("compiling the %s driver%s", lib.Name, where(root)))
	return program, compile(ctx, cc, flags, lib, program)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func where(root string) string {
	if root == "" {
		return ""
	}
	return " for " + root
}

// cacheDir is where compiled drivers are kept.
func cacheDir() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(base, 0o755) != nil {
		base = filepath.Join(os.TempDir(), fmt.Sprintf("shakedown-%d", os.Getuid()))
	}
	dir := filepath.Join(base, "shakedown", "drivers")
	return dir, os.MkdirAll(dir, 0o700)
}

// key is a short hash of all that goes into a driver: sources, compiler, flags,
// and the library file that will be linked.
func key(cc compiler, flags []string, lib Library) string {
	h := sha256.New()
	_ = fs.WalkDir(sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, _ := sources.ReadFile(path)
			fmt.Fprintf(h, "%s %d\n%s", path, len(data), data)
		}
		return err
	})
	fmt.Fprintln(h, strings.Join(flags, " "))
	identify(h, cc.path)
	for _, l := range lib.Link {
		identify(h, cc.ask(flags, "lib"+l+".so"))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// identify hashes which file this is: its real path, size and time.
func identify(h hash.Hash, path string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	fmt.Fprintln(h, path)
	if info, err := os.Stat(path); err == nil {
		fmt.Fprintln(h, info.Size(), info.ModTime().UnixNano())
	}
}

// compile builds beside the final place and renames, so that two runs at the
// same time do no harm: the driver, and the one that counts memory.
func compile(ctx context.Context, cc compiler, flags []string, lib Library, program string) error {
	work, err := os.MkdirTemp(filepath.Dir(program), "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := unpack(work); err != nil {
		return err
	}
	counting := make(chan error, 1)
	go func() {
		counting <- cc.build(ctx, append([]string{"-DSHAKEDOWN_METER"}, flags...), lib, work, program+"-memory")
	}()
	err = cc.build(ctx, flags, lib, work, program)
	return errors.Join(err, <-counting)
}

// build compiles one program.
func (c compiler) build(ctx context.Context, flags []string, lib Library, work, program string) error {
	out := filepath.Join(work, filepath.Base(program))
	argv := append([]string{}, flags...)
	argv = append(argv, "-O2", "-std=gnu11", "-o", out, filepath.Join(work, lib.Name+".c"))
	for _, l := range lib.Link {
		argv = append(argv, "-l"+l)
	}
	said, err := exec.CommandContext(ctx, c.path, argv...).CombinedOutput()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &CompileError{lib, c.path + " " + strings.Join(argv, " "), string(said)}
	}
	if err != nil {
		return err
	}
	return os.Rename(out, program)
}

// unpack writes the embedded sources into a directory.
func unpack(dir string) error {
	entries, err := sources.ReadDir("src")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := sources.ReadFile("src/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
