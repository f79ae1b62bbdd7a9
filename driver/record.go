package driver

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"time"
)

// Bounds of `op record`.
const (
	pipeSize = 512 << 10             // bytes of records in a batch
	minBatch = 50 * time.Microsecond // shortest time of a sample
)

// recorder is `op record`: records of one size from client to server, through
// the record layer of the stack and a pipe in memory.
type recorder struct {
	*program
	cfg            Config
	up, down       *pipe
	client, server Conn
	meter          meter
	plain, opened  []byte
	batch          int   // records in a sample
	recordBytes    int   // on the wire
	encrypt        int64 // ns of the last batch
	decrypt        int64
}

func record(p *program, cfg Config) error {
	o := &recorder{
		program: p, cfg: cfg, meter: meter{on: cfg.Memory}, up: newPipe(pipeSize), down: newPipe(pipeSize),
		plain: make([]byte, cfg.Size), opened: make([]byte, cfg.Size),
	}
	for _, step := range []func() error{o.open, o.handshake, o.calibrate} {
		if err := step(); err != nil {
			return err
		}
	}
	o.meter.ready()
	proof := &OpProof{Client: o.client.Proof(), Server: o.server.Proof()}
	p.out.add(Ready{Kind: KindReady, PID: os.Getpid(), Batch: o.batch, RecordBytes: o.recordBytes, Proof: proof})
	if err := p.out.flush(); err != nil {
		return err
	}
	return p.blocks(cfg.Count, o.block)
}

func (o *recorder) open() error {
	server, err := o.stack.Server(o.cfg)
	if err != nil {
		return err
	}
	client, err := o.stack.Client(o.cfg)
	if err != nil {
		return err
	}
	o.server = server.Open(end{in: o.up, out: o.down})
	o.client = client.Open(end{in: o.down, out: o.up})
	return nil
}

// handshake runs both ends against each other, with one request and one
// response so that tickets are out of the way. Then the pipes are alone.
func (o *recorder) handshake() error {
	late := time.AfterFunc(o.cfg.Timeout, func() {
		o.up.close()
		o.down.close()
	})
	ended := make(chan error)
	go func() { ended <- o.serverPart() }()
	err := o.clientPart()
	if other := <-ended; err == nil || other != nil && errors.Is(err, errGone) {
		err = other // the cause, where the client only saw the server go
	}
	if !late.Stop() {
		return fmt.Errorf("the handshake in memory was not over after %v", o.cfg.Timeout)
	}
	o.up.alone, o.down.alone = true, true
	return err
}

func (o *recorder) clientPart() error {
	err := o.client.Handshake()
	if err == nil {
		_, err = o.client.Write(make([]byte, o.cfg.Request))
	}
	if err == nil {
		err = receive(o.client, make([]byte, o.cfg.Response))
	}
	return o.partEnd("client", o.client, err)
}

func (o *recorder) serverPart() error {
	err := o.server.Handshake()
	if err == nil {
		err = receive(o.server, make([]byte, o.cfg.Request))
	}
	if err == nil {
		_, err = o.server.Write(make([]byte, o.cfg.Response))
	}
	return o.partEnd("server", o.server, err)
}

// partEnd says whose error it is, and lets the other end see it too.
func (o *recorder) partEnd(name string, conn Conn, err error) error {
	if err == nil {
		return nil
	}
	_ = conn.Close(false)
	return fmt.Errorf("%s: %w", name, err)
}

// receive fills b.
func receive(conn Conn, b []byte) error {
	for got := 0; got < len(b); {
		n, err := conn.Read(b[got:])
		if got += n; err != nil && got < len(b) {
			return err
		}
	}
	return nil
}

// calibrate doubles the batch until its fastest run lasts long enough, with a
// margin, or the pipe is full.
func (o *recorder) calibrate() error {
	o.batch = 1
	for {
		fastest := int64(math.MaxInt64)
		for range 3 {
			if err := o.run(); err != nil {
				return err
			}
			fastest = min(fastest, o.encrypt, o.decrypt)
		}
		if fastest >= 2*int64(minBatch) || 2*o.batch*o.recordBytes > pipeSize {
			return nil
		}
		o.batch *= 2
	}
}

// run times one batch each way. Each batch has a text of its own, which must
// come out again.
func (o *recorder) run() error {
	next := o.plain[0] + 1
	for i := range o.plain {
		o.plain[i] = next
	}
	clear(o.opened)
	start := o.clock.now()
	for range o.batch {
		if _, err := o.client.Write(o.plain); err != nil {
			return fmt.Errorf("write of a record: %w", err)
		}
	}
	o.encrypt = o.clock.now() - start
	o.recordBytes = o.up.len() / o.batch
	start = o.clock.now()
	for range o.batch {
		if err := receive(o.server, o.opened); err != nil {
			return fmt.Errorf("read of a record: %w", err)
		}
	}
	o.decrypt = o.clock.now() - start
	if !bytes.Equal(o.plain, o.opened) || o.up.len() != 0 {
		return errors.New("what was decrypted is not what was encrypted")
	}
	return nil
}

// block takes n samples each way.
func (o *recorder) block(n int) error {
	encrypt, decrypt := make([]float64, n), make([]float64, n)
	o.meter.restart()
	cpu := cpuTime()
	for i := range n {
		if err := o.run(); err != nil {
			return err
		}
		encrypt[i], decrypt[i] = o.perRecord(o.encrypt), o.perRecord(o.decrypt)
	}
	cpu = cpuTime() - cpu
	o.samples("encrypt", encrypt)
	o.samples("decrypt", decrypt)
	o.out.add(Block{Kind: KindBlock, Count: n, CPU: cpu.Seconds(), Memory: o.meter.read()})
	return o.out.flush()
}

// perRecord turns the time of a batch into seconds a record.
func (o *recorder) perRecord(ns int64) float64 { return float64(ns) * 1e-9 / float64(o.batch) }

func (o *recorder) samples(metric string, values []float64) {
	o.out.add(Samples{Kind: KindSamples, Metric: metric, Unit: "s", Batch: o.batch, Values: values})
}
