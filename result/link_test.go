package result

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestCarried: counts add up, lateness is that of the worst block. Every field is one
// or the other.
func TestCarried(t *testing.T) {
	a := Carried{
		Packets: 10, Lost: 1, Full: 2, Aimed: 3, TooBig: 4, Duplicated: 5, Reordered: 6, Frames: 70, CPU: 0.25,
		Late: Late{Packets: 9, Median: 1e-6, P99: 5e-5, Max: 3e-4, Over: 1},
	}
	b := Carried{
		Packets: 100, Lost: 10, Full: 20, Aimed: 30, TooBig: 40, Duplicated: 50, Reordered: 60, Frames: 700, CPU: 0.5,
		Late: Late{Packets: 90, Median: 2e-6, P99: 4e-5, Max: 2e-4, Over: 2},
	}
	want := Carried{
		Packets: 110, Lost: 11, Full: 22, Aimed: 33, TooBig: 44, Duplicated: 55, Reordered: 66, Frames: 770, CPU: 0.75,
		Late: Late{Packets: 99, Median: 2e-6, P99: 5e-5, Max: 3e-4, Over: 3},
	}
	for _, v := range []reflect.Value{reflect.ValueOf(want), reflect.ValueOf(want.Late)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s is not tested", v.Type().Field(i).Name)
			}
		}
	}
	ab, ba, alone := a, b, Carried{}
	ab.Add(b)
	ba.Add(a)
	alone.Add(a)
	if ab != want || ba != want || alone != a {
		t.Errorf("%+v, the other way %+v, want %+v; added to nothing %+v", ab, ba, want, alone)
	}
}

// TestDoubt: up to one packet of a hundred may be late.
func TestDoubt(t *testing.T) {
	for _, quiet := range []Late{{}, {Packets: 100}, {Packets: 100, Over: 1, Max: 1}, {Packets: 1000, Over: 10, Max: 1}} {
		if doubt := quiet.Doubt(); doubt != "" {
			t.Errorf("%+v: %s", quiet, doubt)
		}
	}
	for _, late := range []Late{{Packets: 99, Over: 1, Max: 0.0123}, {Packets: 1000, Over: 11, Max: 0.0123}, {Over: 1}} {
		if late.Doubt() == "" {
			t.Errorf("%+v: no doubt", late)
		}
	}
	doubt := Late{Packets: 200, Over: 3, Max: 0.0123}.Doubt()
	if !strings.Contains(doubt, "3 of 200 packets") || !strings.HasSuffix(doubt, "the worst by 12.3 ms") {
		t.Error(doubt)
	}
}

// TestLinkAsJSON: what a link carried stands beside its profile, and comes back.
func TestLinkAsJSON(t *testing.T) {
	want := Link{Profile: "delay=50ms", Source: "given", Seed: 1<<64 - 1, Settings: map[string]string{"a": "b"}, Carried: Carried{Packets: 7, Late: Late{Packets: 7}}}
	text, err := json.Marshal(want)
	if err != nil || !strings.Contains(string(text), `"settings":{"a":"b"},"packets":7,"late":{"packets":7,`) {
		t.Errorf("%v %s", err, text)
	}
	var got Link
	if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %+v, want %+v", err, got, want)
	}
}
