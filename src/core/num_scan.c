/*
 * num_scan.c - text to the nearest double
 *
 * Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990, for what
 * two exact doubles decide; then a 128-bit power of ten after Lemire, Number
 * Parsing at a Gigabyte per Second, Software: Practice and Experience 51
 * (2021), with bounds on its error: where both bounds round to one double,
 * that is the answer; where not, big integers decide.
 */
#include "core/num.h"
#include "core/num_big.h"
#include "core/num_pow10.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

#define HIDDEN_BIT (1ull << 52)
#define INF_BITS 0x7ff0000000000000ull

/* Digits that always fit in a uint64_t. */
#define WORD_DIGITS 19

/* A longer exponent than any number of digits can make up for. */
#define EXPONENT_MAX ((int64_t)1 << 56)

/* (-1)^negative * word * 10^exponent; word is of no use if digits is more
 * than WORD_DIGITS. */
struct decimal {
	bool negative;
	uint64_t word;
	int64_t exponent;
	size_t digits;	   /* from first on, leading zeros included */
	const char *first; /* may be the decimal point */
	const char *last;  /* behind the last digit */
};

static ALWAYS_INLINE bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Eight bytes, the first one lowest; zeros behind the end. */
static ALWAYS_INLINE uint64_t load8(const char *at, const char *end)
{
	uint64_t c = 0;

	if (end - at < 8) {
		for (ptrdiff_t i = end - at; i-- > 0;)
			c = c << 8 | (unsigned char)at[i];
		return c;
	}
	memcpy(&c, at, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	c = __builtin_bswap64(c);
#endif
	return c;
}

/* Number of digits in front of the first other byte; values: bytes ^ '0'. */
static ALWAYS_INLINE unsigned count_digits(uint64_t values)
{
	/* A byte above 9 gets its top bit; a carry only spoils later bytes. */
	uint64_t other =
		((values + 0x7676767676767676) | values) & 0x8080808080808080;

	return other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
}

/* The number that eight digit values make; neighbours are joined thrice. */
static ALWAYS_INLINE uint64_t join_digits(uint64_t v)
{
	v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
	v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
	return (v * 10000 + (v >> 32)) & 0xffffffff;
}

/* Appends the digits at `at` to *word (modulo 2^64); returns their end. */
static ALWAYS_INLINE const char *scan_digits(const char *at, const char *end,
					     uint64_t *word)
{
	static const uint32_t power[] = { 1,	   10,	     100,
					  1000,	   10000,    100000,
					  1000000, 10000000, 100000000 };
	unsigned n;

	do {
		uint64_t v = load8(at, end) ^ 0x3030303030303030;

		n = count_digits(v);
		/* Shifted to the end, behind values 0; by 64 in two steps. */
		v = v << (32 - 4 * n) << (32 - 4 * n);
		*word = *word * power[n] + join_digits(v);
		at += n;
	} while (n == 8);
	return at;
}

/* Reads [+-]digits behind an e; returns at if there are none. */
static const char *scan_exponent(const char *at, const char *end,
				 int64_t *exponent)
{
	const char *p = at + 1;
	bool negative = p < end && *p == '-';
	int64_t e = 0;

	if (p < end && (*p == '-' || *p == '+'))
		p++;
	if (p == end || !is_digit(*p))
		return at;
	for (; p < end && is_digit(*p); p++)
		if (e < EXPONENT_MAX)
			e = e * 10 + (*p - '0');
	*exponent += negative ? -e : e;
	return p;
}

/* Takes a number apart; returns its end, or at if there is none. */
static ALWAYS_INLINE const char *scan_decimal(const char *at, const char *end,
					      char point, bool json,
					      struct decimal *d)
{
	const char *p = at;
	size_t fraction = 0;

	d->word = 0;
	/* No branch: the sign of a logit cannot be predicted. */
	char sign = p < end ? *p : '0';

	d->negative = sign == '-';
	p += d->negative | ((sign == '+') & !json);
	d->first = p;
	p = scan_digits(p, end, &d->word);
	d->digits = (size_t)(p - d->first);
	d->exponent = 0;
	if (json && d->digits == 0)
		return at;
	if (json && d->digits > 1 && *d->first == '0') {
		*d = (struct decimal){ .negative = d->negative };
		return at + d->negative + 1;
	}
	if (p < end && *p == point) {
		const char *q = scan_digits(p + 1, end, &d->word);

		fraction = (size_t)(q - p - 1);
		if (fraction || (d->digits && !json))
			p = q;
	}
	d->digits += fraction;
	d->exponent = -(int64_t)fraction;
	d->last = p;
	if (d->digits == 0)
		return at;
	if (p < end && (*p == 'e' || *p == 'E'))
		p = scan_exponent(p, end, &d->exponent);
	return p;
}

/* The bits of the double nearest to x 2^e, ties to even; x >= 2^64. */
static ALWAYS_INLINE uint64_t round_to_double(ood_u128 x, int e)
{
	int zeros = __builtin_clzll((uint64_t)(x >> 64));
	ood_u128 y = x << zeros;
	/* y is in [2^127, 2^128): the exponent field of y 2^(e - zeros). */
	int field = e - zeros + 127 + 1023;
	int drop = field > 0 ? 11 : 12 - field;
	uint64_t z = (uint64_t)(y >> 64) | ((uint64_t)y != 0);

	if (field >= 2047)
		return INF_BITS;
	if (drop >= 64)
		return drop == 64 && z > 1ull << 63;
	uint64_t m = z >> drop;
	uint64_t rest = z & ((1ull << drop) - 1), half = 1ull << (drop - 1);

	m += rest > half || (rest == half && (m & 1));
	/* The hidden bit of m adds 1 to the field. */
	return field > 0 ? ((uint64_t)(field - 1) << 52) + m : m;
}

/* Sign of digits 10^exponent minus the middle of the doubles with `bits` and
 * the next: (2m + 1) 2^(e - 1) where m 2^e is the former. */
static int compare_middle(struct ood_big *digits, int64_t exponent,
			  uint64_t bits)
{
	uint64_t m = bits & (HIDDEN_BIT - 1);
	int e = -1074;

	if (bits >= HIDDEN_BIT) {
		m |= HIDDEN_BIT;
		e = (int)(bits >> 52) - 1075;
	}
	return ood_big_compare(digits, (int)exponent, 2 * m + 1, e - 1);
}

/* All digits of d as a big integer; *exponent goes with it. What is beyond
 * OOD_BIG_DIGITS only matters by being there: one more digit, 1. */
static void collect_digits(const struct decimal *d, struct ood_big *big,
			   int64_t *exponent)
{
	size_t used = 0, dropped = 0;
	bool rest = false;

	for (const char *p = d->first; p < d->last; p++) {
		if (!is_digit(*p) || (used == 0 && *p == '0'))
			continue;
		if (used < OOD_BIG_DIGITS) {
			ood_big_muladd(big, 10, (uint64_t)(*p - '0'));
			used++;
		} else {
			rest |= *p != '0';
			dropped++;
		}
	}
	*exponent = d->exponent + (int64_t)dropped;
	if (rest) {
		ood_big_muladd(big, 10, 1);
		--*exponent;
	}
}

/* Decides between the doubles with bits `low` and the next one. */
static uint64_t decide_exactly(const struct decimal *d, uint64_t low)
{
	struct ood_big big = { .n = 0 };
	int64_t exponent = 0;

	collect_digits(d, &big, &exponent);
	int sign = compare_middle(&big, exponent, low);

	return low + (sign > 0 || (sign == 0 && (low & 1)));
}

/*
 * The bits of the double nearest to d, of which word 10^exponent is the
 * number itself or, with `more`, the leading WORD_DIGITS digits.
 */
static uint64_t nearest_bits(const struct decimal *d, uint64_t word,
			     int64_t exponent, bool more)
{
	if (word == 0 || exponent < OOD_POW10_MIN)
		return 0;
	if (exponent > 308)
		return INF_BITS;
	int k = (int)exponent, zeros = __builtin_clzll(word);
	int e = ood_log2_pow10(k) - 63 - zeros;
	ood_u128 p = ood_mul_pow10(word << zeros, k);
	ood_u128 above = p + 1;

	/* One more in word is less than 2^(64 + zeros) more in p. */
	if (more)
		above += (ood_u128)1 << (64 + zeros);
	if (above < p)
		above = ~(ood_u128)0; /* rounds to the power of two above */
	uint64_t low = round_to_double(p - 1, e);

	if (low == round_to_double(above, e))
		return low;
	return decide_exactly(d, low);
}

/* More than WORD_DIGITS digits: leading zeros aside, the first of them. */
static uint64_t nearest_bits_long(const struct decimal *d)
{
	uint64_t word = 0;
	unsigned used = 0;
	int64_t dropped = 0;

	for (const char *p = d->first; p < d->last; p++) {
		if (!is_digit(*p))
			continue;
		if (used < WORD_DIGITS) {
			word = word * 10 + (uint64_t)(*p - '0');
			used += word > 0;
		} else {
			dropped++;
		}
	}
	return nearest_bits(d, word, d->exponent + dropped, dropped > 0);
}

static ALWAYS_INLINE enum ood_num_kind to_double(const struct decimal *d,
						 double *x)
{
	static const double power[] = { 1e0,  1e1,  1e2,  1e3,	1e4,  1e5,
					1e6,  1e7,  1e8,  1e9,	1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
					1e18, 1e19, 1e20, 1e21, 1e22 };
	uint64_t sign = (uint64_t)d->negative << 63, bits;

	/* Both operands are doubles, so that the one operation is exact but
	 * for its rounding; 10^22 = 2^22 5^22, 5^22 < 2^53. */
	if (d->digits <= WORD_DIGITS && d->word <= 1ull << 53 &&
	    d->exponent <= 0 && d->exponent >= -22) {
		*x = (double)d->word / power[-d->exponent];
		memcpy(&bits, x, sizeof(bits));
	} else if (d->digits <= WORD_DIGITS) {
		bits = nearest_bits(d, d->word, d->exponent, false);
	} else {
		bits = nearest_bits_long(d);
	}
	sign |= bits;
	memcpy(x, &sign, sizeof(*x));
	return bits == INF_BITS ? OOD_NUM_RANGE : OOD_NUM_OK;
}

enum ood_num_kind ood_num_scan_json(const char *at, const char *end,
				    const char **stop, double *x)
{
	struct decimal d;

	*stop = scan_decimal(at, end, '.', true, &d);
	return *stop == at ? OOD_NUM_BAD : to_double(&d, x);
}

/* Length of word at the start of [at, end) in any case, or 0. */
static size_t match_word(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(end - at) < n)
		return 0;
	for (size_t i = 0; i < n; i++)
		if ((at[i] | 0x20) != word[i])
			return 0;
	return n;
}

static enum ood_num_kind scan_special(const char *at, const char *end,
				      const char **stop, double *x)
{
	static const struct {
		const char *word;
		double x;
	} special[] = { { "infinity", (double)INFINITY },
			{ "inf", (double)INFINITY },
			{ "nan", (double)NAN } };
	bool negative = at < end && *at == '-';
	const char *p = at + (at < end && (*at == '-' || *at == '+'));

	for (size_t i = 0; i < OOD_COUNT(special); i++) {
		size_t n = match_word(p, end, special[i].word);

		if (n) {
			*x = negative ? -special[i].x : special[i].x;
			*stop = p + n;
			return OOD_NUM_OK;
		}
	}
	*stop = at;
	return OOD_NUM_BAD;
}

enum ood_num_kind ood_num_scan_text(const char *at, const char *end,
				    char decimal, const char **stop, double *x)
{
	struct decimal d;

	*stop = scan_decimal(at, end, decimal, false, &d);
	if (*stop == at)
		return scan_special(at, end, stop, x);
	return to_double(&d, x);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The word in n bytes without the blanks around it. */
static struct ood_span trim(const char *at, size_t n)
{
	while (n && is_blank(at[0]))
		at++, n--;
	while (n && is_blank(at[n - 1]))
		n--;
	return (struct ood_span){ at, n };
}

enum ood_num_kind ood_num_parse(const char *at, size_t n, char decimal,
				double *x)
{
	struct ood_span word = trim(at, n);
	const char *end = word.at + word.n, *stop;
	enum ood_num_kind kind =
		ood_num_scan_text(word.at, end, decimal, &stop, x);

	return stop == end ? kind : OOD_NUM_BAD;
}

/* Drops zeros at the end of the digits of d and reads the others; false if
 * there are more than fit. */
static bool drop_zeros(struct decimal *d)
{
	unsigned used = 0;

	while (d->last > d->first &&
	       !(d->last[-1] >= '1' && d->last[-1] <= '9'))
		d->exponent += *--d->last == '0';
	d->word = 0;
	for (const char *p = d->first; p < d->last; p++) {
		if (!is_digit(*p))
			continue;
		if (used == WORD_DIGITS)
			return false;
		d->word = d->word * 10 + (uint64_t)(*p - '0');
		used += d->word > 0;
	}
	return true;
}

bool ood_num_parse_int(const char *at, size_t n, int64_t *i)
{
	struct ood_span word = trim(at, n);
	const char *end = word.at + word.n;
	struct decimal d;

	if (!n || scan_decimal(word.at, end, '.', false, &d) != end ||
	    !d.digits || !drop_zeros(&d))
		return false;
	if (d.word == 0)
		d.exponent = 0;
	if (d.exponent < 0)
		return false;
	for (; d.exponent > 0; d.exponent--)
		if (__builtin_mul_overflow(d.word, 10u, &d.word))
			return false;
	if (d.word > (uint64_t)INT64_MAX + d.negative)
		return false;
	*i = (int64_t)(d.negative ? 0 - d.word : d.word);
	return true;
}
