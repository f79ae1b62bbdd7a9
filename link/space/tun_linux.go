package space

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// device is the name of the TUN device in every namespace.
const device = "link0"

// Device says how a namespace is connected.
type Device struct {
	Local, Far netip.Addr // of this end and the other, of one family
	MTU        int        // bytes
	Window     int        // initial congestion window in packets; 0: the system's
}

// Connect makes a TUN device with an address and the route to the other end, and
// returns the file from which packets that are sent come out, one a read, and
// into which packets that are to be received go. Reads do not block. Warnings
// name settings that the system refused.
func (s *Space) Connect(d Device) (tun *os.File, warnings []string, err error) {
	err = s.Do(func() error {
		tun, err = openTUN()
		return err
	})
	if err != nil {
		return nil, nil, refusedTUN(err)
	}
	warnings = s.settle()
	if err := s.configure(d); err != nil {
		return nil, warnings, errors.Join(err, tun.Close())
	}
	return tun, warnings, nil
}

// openTUN opens a device without offloads: packets come out as they would go over
// a wire, none longer than the MTU.
func openTUN() (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	request, err := unix.NewIfreq(device)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "tun"), nil
}

// settings make TCP the same on every host, and keep the device silent. Buffers
// are large enough that only the congestion window holds a sender back; nothing
// is remembered from one connection to the next.
var settings = map[string]string{
	"net/ipv4/tcp_timestamps":                  "0",
	"net/ipv4/tcp_sack":                        "1",
	"net/ipv4/tcp_window_scaling":              "1",
	"net/ipv4/tcp_no_metrics_save":             "1",
	"net/ipv4/tcp_rmem":                        "4096 1048576 33554432",
	"net/ipv4/tcp_wmem":                        "4096 1048576 33554432",
	"net/ipv4/ip_local_port_range":             "1024 65535",
	"net/ipv6/conf/all/accept_dad":             "0",
	"net/ipv6/conf/link0/accept_dad":           "0",
	"net/ipv6/conf/link0/accept_ra":            "0",
	"net/ipv6/conf/link0/router_solicitations": "0",
	"net/ipv6/conf/link0/addr_gen_mode":        "1",
}

// settle applies the settings. One that is refused (containers mount /proc/sys for
// reading only) leaves the host's value, and is told.
func (s *Space) settle() (warnings []string) {
	for name, value := range settings {
		if err := s.sysctl(name, value); err != nil && !(strings.Contains(name, "ipv6") && errors.Is(err, os.ErrNotExist)) {
			warnings = append(warnings, fmt.Sprintf("%s stays as the host has it: %v", strings.ReplaceAll(name, "/", "."), err))
		}
	}
	slices.Sort(warnings)
	return warnings
}

// told are the settings that explain what TCP does beside those that are set.
var told = []string{
	"net/ipv4/tcp_syn_linear_timeouts", "net/ipv4/tcp_syn_retries",
	"net/ipv4/tcp_rto_min_us", "net/ipv4/tcp_early_retrans", "net/ipv4/tcp_recovery", "net/ipv4/tcp_mtu_probing", "net/ipv4/tcp_fastopen",
	"net/ipv4/tcp_congestion_control",
}

// Settings reads back what is in force: the settings above by their names, such as
// "net.ipv4.tcp_timestamps", and those of the route as "route.congctl" and
// "route.initcwnd" in packets. What a kernel lacks is left out.
func (s *Space) Settings() map[string]string {
	out := map[string]string{}
	for _, name := range append(slices.Collect(maps.Keys(settings)), told...) {
		if value, err := s.Sysctl(name); err == nil && !strings.Contains(name, "ipv6") {
			out[strings.ReplaceAll(name, "/", ".")] = strings.Join(strings.Fields(value), " ")
		}
	}
	routes, _ := s.netlink.RouteList(nil, netlink.FAMILY_ALL)
	for _, r := range routes {
		if r.Congctl != "" {
			out["route.congctl"], out["route.initcwnd"] = r.Congctl, fmt.Sprint(r.InitCwnd)
		}
	}
	return out
}

// configure brings loopback and the device up.
func (s *Space) configure(d Device) error {
	lo, err := s.netlink.LinkByName("lo")
	if err != nil {
		return err
	}
	dev, err := s.netlink.LinkByName(device)
	if err != nil {
		return err
	}
	const waiting = 10000 // packets; the default loses some before they come to the emulator
	for _, step := range []struct {
		what string
		err  error
	}{
		{"loopback up", s.netlink.LinkSetUp(lo)},
		{fmt.Sprintf("MTU %d", d.MTU), s.netlink.LinkSetMTU(dev, d.MTU)},
		{"queue", s.netlink.LinkSetTxQLen(dev, waiting)},
		{"device up", s.netlink.LinkSetUp(dev)},
		{"address", s.netlink.AddrAdd(dev, &netlink.Addr{IPNet: host(d.Local), Flags: unix.IFA_F_NODAD})},
		{"route", s.route(dev, d)},
	} {
		if step.err != nil {
			return fmt.Errorf("network namespace, %s: %w", step.what, step.err)
		}
	}
	return nil
}

// route leads to the other end. Its congestion control is cubic, or reno where
// that is missing: one that paces, as BBR does, spreads a flight over a round
// trip.
func (s *Space) route(dev netlink.Link, d Device) error {
	route := netlink.Route{
		LinkIndex: dev.Attrs().Index, Dst: host(d.Far), Src: d.Local.AsSlice(),
		InitCwnd: d.Window, Congctl: "cubic",
	}
	if s.netlink.RouteAdd(&route) == nil {
		return nil
	}
	route.Congctl = "reno"
	return s.netlink.RouteAdd(&route)
}

// host is the network with one address.
func host(a netip.Addr) *net.IPNet {
	return &net.IPNet{IP: a.AsSlice(), Mask: net.CIDRMask(a.BitLen(), a.BitLen())}
}
