package profile

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// none is the value that takes a limit or a framing away.
const none = "none"

// nano is the resolution of a share: nine decimals, so that its text is short and
// exact.
const nano = 1e9

// unit is a suffix of numbers and what it stands for.
type unit struct {
	suffix string
	times  int64
}

// Units, the largest first.
var (
	bitUnits  = []unit{{"Gbit", 1e9}, {"Mbit", 1e6}, {"kbit", 1e3}, {"bit", 1}}
	byteUnits = []unit{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}
)

// maxAmount keeps absurd numbers from running over; [Profile.Check] refuses them.
const maxAmount = 1e15

// parseAmount reads a decimal number with a unit, in lower case, as a whole number
// of the smallest.
func parseAmount(text string, units []unit, example string) (int64, error) {
	for _, u := range units {
		number, found := strings.CutSuffix(text, strings.ToLower(u.suffix))
		if !found {
			continue
		}
		value, err := parseNumber(number)
		if err != nil {
			break
		}
		return int64(math.Round(min(max(value*float64(u.times), -maxAmount), maxAmount))), nil
	}
	return 0, fmt.Errorf("want a number with a unit, such as %s, not %q", example, text)
}

// amountText prints a whole number in the largest unit that leaves it whole.
func amountText(value int64, units []unit) string {
	for _, u := range units {
		if value%u.times == 0 {
			return strconv.FormatInt(value/u.times, 10) + u.suffix
		}
	}
	return "" // the smallest unit divides every number
}

// parseNumber reads a decimal number without an exponent.
func parseNumber(text string) (float64, error) {
	if strings.Trim(text, "-0123456789.") != "" {
		return 0, fmt.Errorf("want a number, not %q", text)
	}
	return strconv.ParseFloat(text, 64)
}

func parseCount(text string) (int, error) {
	value, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("want a whole number, not %q", text)
	}
	return int(value), nil
}

// parseSize reads a number that cannot be 0.
func parseSize(text string) (int, error) {
	value, err := parseCount(text)
	if err == nil && value == 0 {
		return 0, impossible("leave it out for the default", "there is no size of 0")
	}
	return value, err
}

func parseDuration(text string) (time.Duration, error) {
	value, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("want a time with its unit, such as 50ms, not %q", text)
	}
	return value, nil
}

// durationText prints a time in ASCII, which every shell can type.
func durationText(d time.Duration) string { return strings.Replace(d.String(), "µs", "us", 1) }

// parseRate reads bits a second.
func parseRate(text string) (int64, error) {
	if text == none {
		return 0, nil
	}
	rate, err := parseAmount(strings.TrimSuffix(text, "/s"), bitUnits, "250kbit or 1Mbit")
	if text == "0" || err == nil && rate == 0 {
		return 0, impossible("rate=none has no limit", "a rate of 0 sends nothing")
	}
	return rate, err
}

func rateText(rate int64) string {
	if rate == 0 {
		return none
	}
	return amountText(rate, bitUnits)
}

// parseShare reads "1%" or "0.01". The lone number 1 could mean either 1 % or all.
func parseShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	value, err := parseNumber(number)
	switch {
	case err != nil:
		return 0, fmt.Errorf("want a share such as 1%% or 0.01, not %q", text)
	case !percent && value >= 1:
		return 0, impossible(fmt.Sprintf("did you mean %s%%?", text), "a share lies between 0 and 1, not at %s", text)
	case percent:
		value /= 100
	}
	return math.Round(value*nano)/nano + 0, nil // + 0: there is no -0%
}

func shareText(share float64) string {
	return strconv.FormatFloat(math.Round(share*nano)/(nano/100), 'f', -1, 64) + "%"
}

// parseJitter reads "5ms" or "5ms/normal".
func parseJitter(text string) (Jitter, error) {
	spread, shape, named := strings.Cut(text, "/")
	value, err := parseDuration(spread)
	if !named {
		shape = Uniform
	}
	return Jitter{Spread: value, Shape: shape}, err
}

func jitterText(j Jitter) string {
	if j.Shape == "" || j.Shape == Uniform {
		return durationText(j.Spread)
	}
	return durationText(j.Spread) + "/" + j.Shape
}

// parseQueue reads packets, bytes and discipline: "100", "64kB", "100/64kB/codel".
func parseQueue(text string) (q Queue, err error) {
	for part := range strings.SplitSeq(text, "/") {
		var bytes int64
		switch {
		case part == "codel":
			q.CoDel = true
		case strings.HasSuffix(part, "b"):
			bytes, err = parseAmount(part, byteUnits, "64kB")
			q.Bytes = int(min(bytes, math.MaxInt32))
		default:
			q.Packets, err = parseCount(part)
		}
		if err != nil {
			return q, err
		}
		if part == "0" || part != "codel" && q.Packets == 0 && q.Bytes == 0 {
			return q, impossible("the least is queue=1", "a queue of 0 lets nothing through")
		}
	}
	return q, nil
}

func queueText(q Queue) string {
	var parts []string
	if q.Packets != 0 {
		parts = append(parts, strconv.Itoa(q.Packets))
	}
	if q.Bytes != 0 {
		parts = append(parts, amountText(int64(q.Bytes), byteUnits))
	}
	if q.CoDel {
		parts = append(parts, "codel")
	}
	return strings.Join(parts, "/")
}

// parseLoss reads a share, or "ge/P/R" and "ge/P/R/GOOD/BAD" of Gilbert and Elliott.
func parseLoss(text string) (Loss, error) {
	values, bursts := strings.CutPrefix(text, "ge/")
	if !bursts {
		share, err := parseShare(text)
		return Loss{Share: share}, err
	}
	ge := GilbertElliott{Bad: 1}
	fields := []*float64{&ge.P, &ge.R, &ge.Good, &ge.Bad}
	parts := strings.Split(values, "/")
	if len(parts) != 2 && len(parts) != 4 {
		return Loss{}, errors.New("want ge/P/R or ge/P/R/GOOD/BAD, such as ge/0.2%/25%: from good to bad, back, and the loss in each")
	}
	for i, part := range parts {
		var err error
		if *fields[i], err = parseShare(part); err != nil {
			return Loss{}, err
		}
	}
	return Loss{GE: &ge}, nil
}

func lossText(l Loss) string {
	if l.GE == nil {
		return shareText(l.Share)
	}
	parts := []string{"ge", shareText(l.GE.P), shareText(l.GE.R)}
	if l.GE.Good != 0 || l.GE.Bad != 1 {
		parts = append(parts, shareText(l.GE.Good), shareText(l.GE.Bad))
	}
	return strings.Join(parts, "/")
}

// parseFrames reads "SIZE/HEADER" or "SIZE/HEADER/FIRST" in bytes.
func parseFrames(text string) (f Frames, err error) {
	if text == none {
		return f, nil
	}
	fields := []*int{&f.Size, &f.Header, &f.First}
	parts := strings.Split(text, "/")
	if len(parts) < 2 || len(parts) > len(fields) {
		return f, errors.New("want SIZE/HEADER or SIZE/HEADER/FIRST in bytes, such as 127/55")
	}
	for i, part := range parts {
		if *fields[i], err = parseCount(part); err != nil {
			return f, err
		}
	}
	if f.Size == 0 {
		return f, impossible("frames=none has none", "frames of 0 bytes hold nothing")
	}
	return f, nil
}

func framesText(f Frames) string {
	switch {
	case f.Size == 0:
		return none
	case f.First == 0:
		return fmt.Sprintf("%d/%d", f.Size, f.Header)
	}
	return fmt.Sprintf("%d/%d/%d", f.Size, f.Header, f.First)
}
