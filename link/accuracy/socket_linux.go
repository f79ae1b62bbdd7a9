package accuracy

import (
	"errors"
	"net/netip"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"shakedown/link"
)

// Sizes of IP packets with a UDP datagram, in bytes.
const (
	headers     = 20 + 8 // IPv4 and UDP
	leastPacket = 100
	mostPacket  = 1500
)

// socket is a UDP socket on which a thread waits: the runtime's poller would wake
// its goroutine later still. It is for one goroutine at a time.
type socket struct {
	fd       int
	patience time.Duration // for which it waits
	control  [64]byte
}

// errNothing says that nothing came in the time that a socket waits.
var errNothing = errors.New("nothing came")

// ends opens a socket on either side, connected to the other.
func ends(n *link.Network) (client, server *socket, err error) {
	address, err := netip.ParseAddrPort(n.ServerAddress())
	if err != nil {
		return nil, nil, err
	}
	client, server = &socket{fd: -1}, &socket{fd: -1}
	err = n.AtServer(func() error { return server.open(&unix.SockaddrInet4{Addr: address.Addr().As4()}) })
	if err == nil {
		err = n.AtClient(func() error { return client.open(&unix.SockaddrInet4{}) })
	}
	if err == nil {
		err = client.connect(server)
	}
	if err == nil {
		err = server.connect(client)
	}
	if err != nil {
		client.close()
		server.close()
	}
	return client, server, err
}

// room is for packets that wait for their reader, in bytes as the kernel counts; it
// doubles that, and gives less where net.core.rmem_max does not allow it.
const room = 2 << 20

// open makes the socket in the namespace of the thread.
func (s *socket) open(local unix.Sockaddr) (err error) {
	if s.fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return err
	}
	return errors.Join(
		unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_RCVBUF, room),
		unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
		s.wait(50*time.Millisecond),
		unix.Bind(s.fd, local),
	)
}

// wait sets how long the socket waits for a datagram.
func (s *socket) wait(d time.Duration) error {
	s.patience = d
	limit := unix.NsecToTimeval(int64(d))
	return unix.SetsockoptTimeval(s.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit)
}

func (s *socket) connect(to *socket) error {
	address, err := unix.Getsockname(to.fd)
	if err != nil {
		return err
	}
	return unix.Connect(s.fd, address)
}

func (s *socket) close() { _ = unix.Close(s.fd) }

// send sends a datagram.
func (s *socket) send(data []byte) error {
	for {
		_, err := unix.Write(s.fd, data)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// receive waits for a datagram. Waking is the time from its arrival, which the
// kernel stamps, until the thread that waited had it. The error is errNothing when
// none came.
func (s *socket) receive(data []byte) (n int, waking time.Duration, err error) {
	for began := time.Now(); ; {
		n, control, errno := s.rawReceive(data)
		switch {
		case errno == unix.EINTR && time.Since(began) < s.patience:
			continue
		case errno == unix.EINTR || errno == unix.EAGAIN:
			return 0, 0, errNothing
		case errno != 0:
			return 0, 0, errno
		}
		return n, s.since(control), nil
	}
}

// rawReceive is the system call, with the control data that have the kernel's stamp.
func (s *socket) rawReceive(data []byte) (n, control int, errno unix.Errno) {
	part := unix.Iovec{Base: &data[0]}
	part.SetLen(len(data))
	message := unix.Msghdr{Iov: &part, Control: &s.control[0]}
	message.SetIovlen(1)
	message.SetControllen(len(s.control))
	r, _, errno := unix.Syscall(unix.SYS_RECVMSG, uintptr(s.fd), uintptr(unsafe.Pointer(&message)), 0)
	return int(r), int(message.Controllen), errno
}

// since is the time since the kernel's stamp, 0 without one.
func (s *socket) since(control int) time.Duration {
	now := time.Now()
	header := (*unix.Cmsghdr)(unsafe.Pointer(&s.control))
	if control < unix.CmsgLen(int(unsafe.Sizeof(unix.Timespec{}))) || header.Type != unix.SCM_TIMESTAMPNS {
		return 0
	}
	stamp := (*unix.Timespec)(unsafe.Pointer(&s.control[unix.CmsgLen(0)]))
	return max(now.Sub(time.Unix(stamp.Unix())), 0)
}
