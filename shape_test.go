package consilience

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The bar for code, measured on the projects we learn from: 90 % of functions
// under 40 lines, none over 90, one concept a file.
const (
	longFunction  = 40
	maxFunction   = 90
	maxFileLines  = 450
	longShareText = "over a tenth of the functions are longer than 40 lines"
)

// generated files say so in their first line, by the convention of the go command.
var generated = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

func sources(t *testing.T, visit func(path string, set *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if len(f.Comments) > 0 && generated.MatchString(f.Comments[0].List[0].Text) {
			return nil
		}
		visit(path, set, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFunctionsAreShort(t *testing.T) {
	var all, long int
	sources(t, func(path string, set *token.FileSet, f *ast.File) {
		if n := set.Position(f.End()).Line; n > maxFileLines {
			t.Errorf("%s has %d lines: more than one concept, perhaps", path, n)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
			all++
			if n > longFunction {
				long++
			}
			if n > maxFunction {
				t.Errorf("%s: %s has %d lines", path, fn.Name.Name, n)
			}
		}
	})
	if long*10 > all {
		t.Errorf("%s: %d of %d", longShareText, long, all)
	}
}

func TestExportedHaveDocComments(t *testing.T) {
	sources(t, func(path string, set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil && !conventional(d.Name.Name) {
					t.Errorf("%s: %s has no doc comment", set.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					ts, ok := s.(*ast.TypeSpec)
					if ok && ts.Name.IsExported() && d.Doc == nil && ts.Doc == nil && ts.Comment == nil {
						t.Errorf("%s: type %s has no doc comment", set.Position(ts.Pos()), ts.Name.Name)
					}
				}
			}
		}
	})
}

// conventional names are methods whose meaning an interface of the standard library fixes.
func conventional(name string) bool {
	return slices.Contains([]string{"Error", "Unwrap", "Is", "String", "MarshalText", "UnmarshalText", "MarshalJSON",
		"UnmarshalJSON", "MarshalCBOR", "UnmarshalCBOR", "LogValue", "Len", "Less", "Swap"}, name)
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	if s, ok := typ.(*ast.StarExpr); ok {
		typ = s.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

func TestNoRoomIsADrawer(t *testing.T) {
	for _, p := range packages(t) {
		for _, part := range strings.Split(room(p.ImportPath), "/") {
			if slices.Contains([]string{"util", "utils", "common", "models", "helpers", "manager", "misc"}, part) {
				t.Errorf("%s: a folder shows what it is for", p.ImportPath)
			}
		}
	}
}
