package wiretest

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"shakedown/wire/internal/codec"
)

// Body is a message that can be read and written.
type Body interface {
	Parse(body []byte) error
	Append(dst []byte) []byte
}

// FuzzBody holds a message against the one property of all: what was read is
// written back byte for byte. The seeds stand beside those of testdata/fuzz.
func FuzzBody(f *testing.F, m Body, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := m.Parse(data); err != nil {
			CheckError(t, err, len(data))
			return
		}
		if got := m.Append(nil); !bytes.Equal(got, data) {
			t.Errorf("read %x, wrote %x", data, got)
		}
	})
}

// FuzzData runs a parser of extension data on anything.
func FuzzData(f *testing.F, parse func([]byte) error, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := parse(data); err != nil {
			CheckError(t, err, len(data)+2)
		}
	})
}

// CheckError refuses errors that point outside an input of a size or say nothing.
func CheckError(t *testing.T, err error, size int) {
	t.Helper()
	var e *codec.Error
	if !errors.As(err, &e) || e.Offset < 0 || e.Offset > size || e.What == "" || e.Reason == "" {
		t.Errorf("error %v of an input of %d bytes", err, size)
	}
}

// EachParserHasAFuzzTarget finds every Parse… and Next… of the package under test,
// at least so many, and asks for a target of its name: ParseX and NextX have FuzzX,
// the methods Parse and Next of T have FuzzT, ParseY of T has FuzzTY.
func EachParserHasAFuzzTarget(t *testing.T, atLeast int) {
	t.Helper()
	parsers, targets := map[string]bool{}, map[string]bool{}
	for name, file := range goFiles(t) {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok:
			case strings.HasSuffix(name, "_test.go"):
				targets[fn.Name.Name] = true
			case targetOf(fn) != "":
				parsers[targetOf(fn)] = true
			}
		}
	}
	if len(parsers) < atLeast {
		t.Errorf("found %d parsers only", len(parsers))
	}
	for parser := range parsers {
		if !targets[parser] {
			t.Errorf("no fuzz target %s", parser)
		}
	}
}

func targetOf(fn *ast.FuncDecl) string {
	for _, verb := range []string{"Parse", "Next"} {
		if rest, ok := strings.CutPrefix(fn.Name.Name, verb); ok {
			return "Fuzz" + receiver(fn) + rest
		}
	}
	return ""
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	kind := fn.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	return kind.(*ast.Ident).Name
}

// goFiles reads the sources of the package under test, by the names of their files.
func goFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		if files[entry.Name()], err = parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
