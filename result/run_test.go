package result

import "testing"

// TestSort: rows are shown in the order of the plan, not in the one in which they
// were finished.
func TestSort(t *testing.T) {
	run := Run{Cases: []CaseEntry{{ID: "a"}, {ID: "b"}, {ID: "c"}}}
	rows := []Row{{ID: "c"}, {ID: "a"}, {ID: "b"}}
	run.Sort(rows)
	for i, want := range []string{"a", "b", "c"} {
		if rows[i].ID != want {
			t.Errorf("row %d is %s, want %s", i, rows[i].ID, want)
		}
	}
}
