package emulate

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"shakedown/link/profile"
)

// patience is how long a test waits for what must come at once.
const patience = time.Minute

// machine is an emulator between two pairs of sockets in place of devices.
type machine struct {
	t        *testing.T
	ends     [2]int // of the client, of the server
	commands chan string
	answers  chan []byte
}

// start runs an emulator until the end of the test.
func start(t *testing.T, settings string) *machine {
	t.Helper()
	p, err := profile.Find(settings)
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, commands: make(chan string), answers: make(chan []byte, 1)}
	e := newEmulator(Config{Profile: p, Seed: 1})
	for side := range e.devices {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		e.devices[side], m.ends[side] = pair[0], pair[1]
		for _, fd := range pair {
			if err := unix.SetNonblock(fd, true); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = unix.Close(fd) })
		}
	}
	e.commands, e.obey = m.commands, func(command string) error {
		var b bytes.Buffer
		err := e.command(command, json.NewEncoder(&b))
		m.answers <- b.Bytes()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- e.run() }()
	t.Cleanup(func() {
		close(m.commands)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return m
}

// send sends a packet from a side, 0 the client's.
func (m *machine) send(side int, packet []byte) {
	m.t.Helper()
	if _, err := unix.Write(m.ends[side], packet); err != nil {
		m.t.Fatal(err)
	}
}

// receive waits for the next packet at a side.
func (m *machine) receive(side int) []byte {
	m.t.Helper()
	b := make([]byte, maxPacket)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if n, err := unix.Read(m.ends[side], b); err == nil {
			return b[:n]
		}
	}
	m.t.Fatal("no packet came")
	return nil
}

func (m *machine) report() (r Report) {
	m.t.Helper()
	m.commands <- "report"
	if err := json.Unmarshal(<-m.answers, &r); err != nil {
		m.t.Fatal(err)
	}
	return r
}

// segment is a packet of TCP over IPv4 from a side, as far as it is read, with
// payload at a place of its stream.
func segment(side, start, payload int) []byte {
	const headers = 40
	b := make([]byte, headers+payload)
	b[0], b[9] = 4<<4|5, 6
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
	copy(b[12:], []byte{10, 0, 0, byte(1 + side)})
	copy(b[16:], []byte{10, 0, 0, byte(2 - side)})
	binary.BigEndian.PutUint16(b[20+2*side:], 5000)
	binary.BigEndian.PutUint16(b[22-2*side:], 443)
	binary.BigEndian.PutUint32(b[24:], uint32(1000+start))
	b[32], b[33] = 5<<4, 1<<4
	return b
}

// TestCarry: packets of both sides arrive unchanged and in order, none before its
// time, and the report has all of them.
func TestCarry(t *testing.T) {
	const delay, packets = 20 * time.Millisecond, 20
	m := start(t, "delay=20ms")
	begin := time.Now()
	for i := range packets {
		m.send(0, segment(0, i, 1))
		m.send(1, segment(1, i, 2))
	}
	for side := range 2 {
		for i := range packets {
			if got := m.receive(1 - side); !bytes.Equal(got, segment(side, i, 1+side)) {
				t.Fatalf("side %d, packet %d: %x", side, i, got)
			}
		}
	}
	const early = time.Millisecond // the slop, and what waking may take
	if took := time.Since(begin); took < delay-early {
		t.Errorf("all arrived after %v", took)
	}
	r := m.report()
	if r.Up.In != packets || r.Up.Out != packets || r.Down.Out != packets || r.Late.Count != 2*packets || r.CPU <= 0 {
		t.Errorf("%+v", r)
	}
	for i, p := range r.Packets {
		if p.Arrived < p.Sent+delay-slop || p.Lost {
			t.Errorf("packet %d: sent %v, arrived %v, lost %v", i, p.Sent, p.Arrived, p.Lost)
		}
	}
	if again := m.report(); len(r.Packets) != 2*packets || len(again.Packets) != 0 || again.Up.In != packets {
		t.Errorf("%d packets, then %d; %+v", len(r.Packets), len(again.Packets), again.Up)
	}
}

// TestPath: what is too long for the hop behind the link does not arrive; its sender
// is told, unless the hop is silent. The word about it comes through a hop of any
// width.
func TestPath(t *testing.T) {
	for settings, words := range map[string]int{"pmtu=600": 1, "pmtu=68": 1, "pmtu=600/silent": 0} {
		t.Run(settings, func(t *testing.T) {
			m := start(t, "delay=1ms,"+settings)
			m.send(0, segment(0, 0, 1000))
			m.send(0, segment(0, 0, 28)) // 68 bytes, those of the narrowest hop there is
			if got := m.receive(1); !bytes.Equal(got, segment(0, 0, 28)) {
				t.Errorf("%d bytes arrived, want 68", len(got))
			}
			if words > 0 {
				if got := m.receive(0); len(got) < 56 || got[9] != 1 || got[20] != 3 || got[21] != 4 || !bytes.Equal(got[28:56], segment(0, 0, 1000)[:28]) {
					t.Errorf("the sender got %x", got)
				}
			}
			r := m.report()
			if r.TooBig != 1 || len(r.Packets) != 2+words || !r.Packets[0].Lost || r.Packets[1].Lost || r.Down.In != words {
				t.Errorf("%d too big, %d packets, %+v", r.TooBig, len(r.Packets), r.Down)
			}
		})
	}
}

// TestAim: both directions are aimed at, by their own senders' packets.
func TestAim(t *testing.T) {
	const hold = 500 * time.Millisecond
	m := start(t, "delay=1ms,drop=client#1,hold=server#1/500ms")
	m.send(0, segment(0, 0, 10)) // dropped
	m.send(0, segment(0, 0, 10))
	if got := m.receive(1); !bytes.Equal(got, segment(0, 0, 10)) {
		t.Errorf("%x", got)
	}
	begin := time.Now()
	m.send(1, segment(1, 0, 10)) // held
	m.send(1, segment(1, 10, 20))
	for _, want := range [][]byte{segment(1, 10, 20), segment(1, 0, 10)} {
		if got := m.receive(0); !bytes.Equal(got, want) {
			t.Errorf("%x, want %x", got, want)
		}
	}
	if took := time.Since(begin); took < hold {
		t.Errorf("held for %v", took)
	}
	r := m.report()
	if r.Up.Filtered != 1 || r.Up.Held != 0 || r.Down.Held != 1 || r.Down.Filtered != 0 || r.Up.Out != 1 || r.Down.Out != 2 {
		t.Errorf("up %+v, down %+v", r.Up, r.Down)
	}
}

// TestReseed: the same seed gives the same fates again.
func TestReseed(t *testing.T) {
	m := start(t, "loss=50%")
	fates := func() (lost []bool) {
		m.commands <- "reseed 7"
		<-m.answers
		const packets = 64
		for i := range packets {
			m.send(0, segment(0, i, 1))
		}
		var all []Packet
		for end := time.Now().Add(patience); len(all) < packets && time.Now().Before(end); {
			all = append(all, m.report().Packets...)
		}
		for _, p := range all {
			lost = append(lost, p.Lost)
		}
		return lost
	}
	one, two := fates(), fates()
	for i := range one {
		if len(one) != len(two) || one[i] != two[i] {
			t.Fatalf("%v, then %v", one, two)
		}
	}
}

// TestServe: what is no configuration and no command is an error, the end of input
// is none.
func TestServe(t *testing.T) {
	out := json.NewEncoder(io.Discard)
	if err := serve(bufio.NewScanner(strings.NewReader("")), out); err != nil {
		t.Error(err)
	}
	if err := serve(bufio.NewScanner(strings.NewReader("{")), out); err == nil {
		t.Error("half a configuration is taken")
	}
	e := newEmulator(Config{})
	for _, command := range []string{"", "reprot", "reseed", "reseed -1", "reseed 1 2"} {
		if err := e.command(command, out); err == nil {
			t.Errorf("%q is obeyed", command)
		}
	}
}
