package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// exactPairs is the largest number of pairs whose signed-rank distribution is
// counted out; above it the normal approximation is as good.
const exactPairs = 50

// signedRank returns the two-sided p value of the Wilcoxon signed-rank test of
// the differences being symmetric about 0. Zeros are left out and ties share
// their mean rank (Wilcoxon, "Individual Comparisons by Ranking Methods",
// Biometrics Bulletin 1, 1945). Up to exactPairs differences it is exact given
// the ties, above it normal with tie and continuity correction.
func signedRank(differences []float64) float64 {
	ranks, positive := doubleRanks(differences)
	if len(ranks) == 0 {
		return 1
	}
	total := 0
	for _, r := range ranks {
		total += r
	}
	smaller := min(positive, total-positive)
	if len(ranks) <= exactPairs {
		return min(1, 2*floats.Sum(rankSums(ranks, total)[:smaller+1]))
	}
	var variance float64
	for _, r := range ranks {
		variance += float64(r) * float64(r) / 4
	}
	z := (float64(total)/2 - float64(smaller) - 1) / math.Sqrt(variance)
	return min(1, 2*distuv.UnitNormal.Survival(z))
}

// doubleRanks returns twice the rank of each difference by size, an integer also
// where ties share a rank, and the sum of those of positive differences.
func doubleRanks(differences []float64) (ranks []int, positive int) {
	d := slices.DeleteFunc(slices.Clone(differences), func(x float64) bool { return x == 0 })
	slices.SortFunc(d, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
	for first := 0; first < len(d); {
		next := first + 1
		for next < len(d) && math.Abs(d[next]) == math.Abs(d[first]) {
			next++
		}
		for _, x := range d[first:next] {
			rank := first + next + 1 // twice the mean of first+1 .. next
			ranks = append(ranks, rank)
			if x > 0 {
				positive += rank
			}
		}
		first = next
	}
	return ranks, positive
}

// rankSums returns the probability of each sum, from 0 to total, of the ranks
// with a positive sign, when every sign is the toss of a coin.
func rankSums(ranks []int, total int) []float64 {
	probability := make([]float64, total+1)
	probability[0] = 1
	for _, r := range ranks {
		for s := total; s >= 0; s-- {
			probability[s] /= 2
			if s >= r {
				probability[s] += probability[s-r] / 2
			}
		}
	}
	return probability
}

// hodgesLehmann returns the median of the means of all pairs of the sorted
// differences (each also with itself, Walsh averages), and the interval of those
// values that the signed-rank test does not reject at Level. It is the range
// where there are fewer than MinSamples.
func hodgesLehmann(sorted []float64) (middle, low, high float64) {
	n := len(sorted)
	pairs := n * (n + 1) / 2
	end := criticalSum(n) + 1
	middle = lerp(walsh(sorted, (pairs+1)/2), walsh(sorted, pairs/2+1), 0.5)
	return middle, walsh(sorted, end), walsh(sorted, pairs+1-end)
}

// criticalSum returns the largest rank sum of n differences without ties that
// the two-sided test rejects at Level; 0 also if it can reject none.
func criticalSum(n int) int {
	tail := (1 - Level) / 2
	total := n * (n + 1) / 2
	if n > exactPairs {
		sd := math.Sqrt(float64(total) * float64(2*n+1) / 12)
		return int(float64(total)/2 - 0.5 + sd*distuv.UnitNormal.Quantile(tail))
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	sum, below := 0, 0.0
	for s, p := range rankSums(ranks, total) {
		if below += p; below > tail {
			break
		}
		sum = s
	}
	return sum
}

// walsh returns the k-th smallest, from 1, of the means (sorted[i]+sorted[j])/2
// with i <= j. It halves the range of values, so that n values need no memory
// of n² means.
func walsh(sorted []float64, k int) float64 {
	low, high := sorted[0], sorted[len(sorted)-1]
	if walshUpTo(sorted, low) >= k {
		return low
	}
	for range 200 { // enough to meet any float64 but those within 1e-60 of 0
		half := low + (high-low)/2
		if half <= low || half >= high {
			break
		}
		if walshUpTo(sorted, half) >= k {
			high = half
		} else {
			low = half
		}
	}
	return high
}

// walshUpTo counts the means of pairs that are at most x.
func walshUpTo(sorted []float64, x float64) int {
	n, j := 0, len(sorted)-1
	for i := range sorted {
		for j >= i && (sorted[i]+sorted[j])/2 > x {
			j--
		}
		if j < i {
			break
		}
		n += j - i + 1
	}
	return n
}
