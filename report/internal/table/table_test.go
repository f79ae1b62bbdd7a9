package table

import (
	"fmt"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	column := func(size int) Column { return Column{"", []string{strings.Repeat("é", size)}} }
	group := func(size int) Group { return Group{Columns: []Column{column(size)}} }
	beside := func(size int) Group { return Group{Columns: []Column{column(size)}, Beside: true} }
	for _, test := range []struct {
		name  string
		table Table
		want  string // keys+groups of each part
	}{
		{"all of it", Table{[]Column{column(5)}, []Group{group(5), group(5)}}, "1+2"},
		{"no room for the keys", Table{[]Column{column(2), column(30)}, []Group{group(5), group(5)}}, "2+0 1+2"},
		{"two halves", Table{[]Column{column(2), column(4)}, []Group{group(19), group(10), group(10)}}, "2+1 1+2"},
		{"too wide alone", Table{[]Column{column(2), column(4)}, []Group{group(5), group(90)}}, "2+1 1+1"},
		{"wide heading", Table{[]Column{column(2)}, []Group{{Title: strings.Repeat("h", 25), Columns: []Column{column(1)}}, group(8)}}, "1+1 1+1"},
		{"beside", Table{[]Column{column(2)}, []Group{group(9), group(9), beside(5)}}, "1+1 1+2"},
		{"beside, too wide", Table{[]Column{column(2)}, []Group{group(5), group(20), beside(10)}}, "1+1 1+1 1+1"},
	} {
		var got []string
		for _, part := range test.table.Parts(32) {
			got = append(got, fmt.Sprintf("%d+%d", len(part.Keys), len(part.Groups)))
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
