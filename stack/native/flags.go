package native

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compiler is the user's C compiler.
type compiler struct{ path string }

// findCompiler takes $CC, else cc, gcc or clang.
func findCompiler() (compiler, bool) {
	for _, name := range []string{os.Getenv("CC"), "cc", "gcc", "clang"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return compiler{path}, true
		}
	}
	return compiler{}, false
}

// ask runs `cc FLAGS -print-file-name=NAME`: the compiler's path of a file, or
// just the name when it has none.
func (c compiler) ask(flags []string, name string) string {
	out, err := exec.Command(c.path, append(flags, "-print-file-name="+name)...).Output()
	if err != nil {
		return name
	}
	return strings.TrimSpace(string(out))
}

// has tells whether a header can be included with these flags.
func (c compiler) has(flags []string, header string) bool {
	cmd := exec.Command(c.path, append(flags, "-E", "-x", "c", "-", "-o", os.DevNull)...)
	cmd.Stdin = strings.NewReader(fmt.Sprintf("#include <%s>\n", header))
	return cmd.Run() == nil
}

// rootFlags are the flags that make the compiler use the files of a root: a
// whole distribution (it has usr/include) or an install prefix (it has include).
// The old run path tag matters, for by it the libraries of libraries are found.
func (c compiler) rootFlags(root string) ([]string, error) {
	switch {
	case root == "":
		return nil, nil
	case isDir(root, "usr", "include"):
		return c.sysroot(root)
	case isDir(root, "include"):
		return prefix(root), nil
	}
	return nil, fmt.Errorf("%s is no root: it has neither usr/include nor include", root)
}

func (c compiler) sysroot(root string) ([]string, error) {
	libs, _ := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-*"))
	loaders, _ := filepath.Glob(filepath.Join(root, "lib*/ld-linux*.so.*"))
	if len(libs) == 0 || len(loaders) == 0 {
		return nil, fmt.Errorf("%s is no root: no libraries in usr/lib/TRIPLET or no loader in lib", root)
	}
	lib := libs[0]
	triplet := filepath.Base(lib)
	path := lib + ":" + filepath.Join(root, "lib", triplet)
	return []string{
		"--sysroot=" + root, "-nostdinc",
		"-isystem", c.ask(nil, "include"),
		"-isystem", filepath.Join(root, "usr/include"),
		"-isystem", filepath.Join(root, "usr/include", triplet),
		"-B" + lib, "-L" + lib,
		"-Wl,-rpath-link," + path, "-Wl,--disable-new-dtags", "-Wl,-rpath," + path,
		"-Wl,--dynamic-linker=" + loaders[0],
	}, nil
}

func prefix(root string) []string {
	flags := []string{"-I" + filepath.Join(root, "include"), "-Wl,--disable-new-dtags"}
	for _, dir := range []string{"lib64", "lib"} {
		if isDir(root, dir) {
			lib := filepath.Join(root, dir)
			flags = append(flags, "-L"+lib, "-Wl,-rpath,"+lib)
		}
	}
	return flags
}

func isDir(elem ...string) bool {
	info, err := os.Stat(filepath.Join(elem...))
	return err == nil && info.IsDir()
}
