/*
 * num_format.c - doubles and integers to text
 *
 * Shortest digits: Giulietti, The Schubfach way to render doubles, 2020. Of
 * the decimals 10^k s and 10^k (s + 1) around the number, and of the two
 * around it that are ten times as far apart, those are candidates that lie
 * between the middles to the neighbouring doubles; all are compared in units
 * of 10^k / 4, where they are integers.
 */
#include "core/num.h"
#include "core/num_big.h"
#include "core/num_pow10.h"

#define HIDDEN_BIT (1ull << 52)

/* Most significant digits of a double's shortest decimal. */
#define DIGITS_MAX 17

static const uint64_t power10[] = { 1ull,
				    10ull,
				    100ull,
				    1000ull,
				    10000ull,
				    100000ull,
				    1000000ull,
				    10000000ull,
				    100000000ull,
				    1000000000ull,
				    10000000000ull,
				    100000000000ull,
				    1000000000000ull,
				    10000000000000ull,
				    100000000000000ull,
				    1000000000000000ull,
				    10000000000000000ull,
				    100000000000000000ull,
				    1000000000000000000ull,
				    10000000000000000000ull };

/* digits 10^exponent */
struct decimal {
	uint64_t digits;
	int exponent;
};

/* A finite double as c 2^q. */
struct binary {
	uint64_t c;
	int q;
	bool closer; /* the double below is half as far as that above */
};

static struct binary take_apart(uint64_t bits)
{
	uint64_t fraction = bits & (HIDDEN_BIT - 1);
	int field = (int)(bits >> 52) & 0x7ff;

	if (field == 0)
		return (struct binary){ fraction, -1074, false };
	return (struct binary){ fraction | HIDDEN_BIT, field - 1075,
				fraction == 0 && field > 1 };
}

/* Number of decimal digits of u > 0: 1233 / 4096 is just below log10(2). */
static inline unsigned digit_count(uint64_t u)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(u);
	unsigned n = (bits * 1233) >> 12;

	return n + (u >= power10[n]);
}

/*
 * floor(w 10^k 2^s), odd if it is not exact; k and s are the power's. As w is
 * below 2^59, the power makes the product less than 1/32 of a unit of its
 * middle word too large: an exact product has 0 there. Continued fractions for
 * all exponents show that no other product of (4c - 2, 4c, 4c + 2) 2^q whose
 * integer part is even has less than 2.7 units; an odd one is odd anyway.
 */
static inline uint64_t round_to_odd(uint64_t w, int k)
{
	ood_u128 p = ood_mul_pow10(w, k);

	return (uint64_t)(p >> 64) | ((uint64_t)p > 1);
}

/* The shortest decimal of b that is not a small integer. */
static struct decimal shortest(struct binary b)
{
	/* floor(log10(2^q)), or of 3/4 2^q: 524031 / 2^22 is log10(4/3). */
	int k = (b.q * 1262611 - (b.closer ? 524031 : 0)) >> 22;
	int h = b.q + ood_log2_pow10(-k) + 1;
	uint64_t odd = b.c & 1; /* an odd number's middles are not its own */
	uint64_t below = 4 * b.c - 2 + b.closer;
	uint64_t low = round_to_odd(below << h, -k) + odd;
	uint64_t mid = round_to_odd(4 * b.c << h, -k);
	uint64_t high = round_to_odd((4 * b.c + 2) << h, -k) - odd;
	uint64_t s = mid / 4, t = s / 10;
	bool t_down = low <= 40 * t, t_up = 40 * t + 40 <= high;
	bool s_down = low <= 4 * s, s_up = 4 * s + 4 <= high;
	bool nearer = mid + (s & 1) > 4 * s + 2; /* s + 1 is, or is even */

	/* Selections, not branches: whether a random number has 16 or 17
	 * digits cannot be predicted. With t = 0, t + 1 has no digit less. */
	bool shorter = t > 0 && t_down != t_up;

	s += s_down == s_up ? nearer : s_up;
	return (struct decimal){ shorter ? t + t_up : s, k + shorter };
}

static struct decimal shortest_of(uint64_t bits)
{
	struct binary b = take_apart(bits);

	/* An integer below 2^53: its neighbours are integers or nearer. */
	if (b.q <= 0 && b.q > -53 && !(b.c & ((1ull << -b.q) - 1)))
		return (struct decimal){ b.c >> -b.q, 0 };
	return shortest(b);
}

/* Eight digits of u < 10^8 as byte values, the first one lowest: halves, then
 * quarters, then digits are split off in parallel. */
static inline uint64_t split_digits(uint32_t u)
{
	uint64_t v = u / 10000 | (uint64_t)(u % 10000) << 32, t;

	t = (v * 10486 >> 20) & 0x0000007f0000007f; /* / 100 below 10^4 */
	v = t | (v - 100 * t) << 16;
	t = (v * 103 >> 10) & 0x000f000f000f000f; /* / 10 below 100 */
	return t | (v - 10 * t) << 8;
}

static inline void store8(char *at, uint64_t values)
{
	values |= 0x3030303030303030;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	values = __builtin_bswap64(values);
#endif
	memcpy(at, &values, 8);
}

/* Writes exactly 17 digits; returns how many there are without zeros at the
 * end. u > 0 */
static unsigned write_digits(char *at, uint64_t u)
{
	uint64_t rest = u % 10000000000000000u;
	uint64_t high = split_digits((uint32_t)(rest / 100000000));
	uint64_t low = split_digits((uint32_t)(rest % 100000000));

	at[0] = (char)('0' + u / 10000000000000000u);
	store8(at + 1, high);
	store8(at + 9, low);
	if (low)
		return 17 - (unsigned)__builtin_clzll(low) / 8;
	return high ? 9 - (unsigned)__builtin_clzll(high) / 8 : 1;
}

/* 0.000123: a number with `zeros` zeros behind the point. */
static char *write_small(char *out, const char *digits, unsigned n,
			 unsigned zeros)
{
	memcpy(out, "0.000000", 8);
	memcpy(out + 2 + zeros, digits, 17);
	return out + 2 + zeros + n;
}

/* 123 or 1.23: `whole` digits (at most 16) in front of the point. */
static char *write_plain(char *out, const char *digits, unsigned n,
			 unsigned whole)
{
	memcpy(out, digits, 16);
	if (n <= whole)
		return out + whole;
	out[whole] = '.';
	/* 16 bytes from here may be more than out has room for. */
	memcpy(out + whole + 1, digits + whole, 8);
	if (n - whole > 8)
		memcpy(out + whole + 9, digits + whole + 8, 8);
	return out + n + 1;
}

/* 1.5e-7, 1e+22 without the plus */
static char *write_scientific(char *out, const char *digits, unsigned n,
			      int exponent)
{
	unsigned e = (unsigned)abs(exponent);

	out[0] = digits[0];
	out[1] = '.';
	memcpy(out + 2, digits + 1, 16);
	out += n > 1 ? n + 1 : 1;
	*out++ = 'e';
	if (exponent < 0)
		*out++ = '-';
	if (e >= 100)
		*out++ = (char)('0' + e / 100);
	if (e >= 10)
		*out++ = (char)('0' + e / 10 % 10);
	*out++ = (char)('0' + e % 10);
	return out;
}

static size_t write_decimal(char *buf, bool negative, struct decimal d)
{
	char digits[17 + 15];
	unsigned count = digit_count(d.digits);
	unsigned n =
		write_digits(digits, d.digits * power10[DIGITS_MAX - count]);
	int exponent = d.exponent + (int)count - 1; /* of the first digit */
	char *p = buf;

	*p = '-';
	p += negative;
	if (exponent >= 16 || exponent < -5)
		p = write_scientific(p, digits, n, exponent);
	else if (exponent < 0)
		p = write_small(p, digits, n, (unsigned)(-exponent - 1));
	else
		p = write_plain(p, digits, n, (unsigned)exponent + 1);
	*p = '\0';
	return (size_t)(p - buf);
}

static size_t write_word(char *buf, const char *word)
{
	size_t n = strlen(word);

	memcpy(buf, word, n + 1);
	return n;
}

/* Infinities, NaN, zeros: true if x is one of them, with *n its length. */
static bool write_special(char *buf, double x, size_t *n)
{
	if (x == 0)
		*n = write_word(buf, "0");
	else if (isnan(x))
		*n = write_word(buf, "nan");
	else if (isinf(x))
		*n = write_word(buf, x < 0 ? "-inf" : "inf");
	else
		return false;
	return true;
}

size_t ood_num_format(char *buf, double x)
{
	uint64_t bits;
	size_t n;

	if (write_special(buf, x, &n))
		return n;
	memcpy(&bits, &x, sizeof(bits));
	return write_decimal(buf, bits >> 63, shortest_of(bits));
}

/*
 * c 2^q rounded to an integer times 10^k, ties to even. The product with
 * 10^-k, right to a unit on either side, decides unless the middle of two
 * integers lies within.
 */
static uint64_t round_at(struct binary b, int k)
{
	int zeros = __builtin_clzll(b.c);
	ood_u128 p = ood_mul_pow10(b.c << zeros, -k);
	/* The product is p 2^-shift, at least 1 and below 10^18. */
	int shift = 63 - ood_log2_pow10(-k) + zeros - b.q;
	ood_u128 half = (ood_u128)1 << (shift - 1);
	ood_u128 rest = p & (half | (half - 1));
	uint64_t n = (uint64_t)(p >> shift);

	if (rest < half - 1 || rest > half + 1)
		return n + (rest > half);
	/* Against the middle: (2n + 1) / 2 10^k = (2n + 1) 5 10^(k - 1). */
	struct ood_big middle = { .n = 0 };

	ood_big_muladd(&middle, 1, (2 * n + 1) * 5);
	int sign = ood_big_compare(&middle, k - 1, b.c, b.q);

	return n + (sign < 0 || (sign == 0 && (n & 1)));
}

size_t ood_num_format_digits(char *buf, double x, int digits)
{
	uint64_t bits;
	size_t n;

	if (write_special(buf, x, &n))
		return n;
	memcpy(&bits, &x, sizeof(bits));
	struct binary b = take_apart(bits);
	int top = 63 - __builtin_clzll(b.c) + b.q; /* floor(log2(x)) */
	int k = ood_log10_pow2(top) - digits + 1;
	uint64_t u = round_at(b, k);

	/* 2^top may have a digit less than x, and 99 may round to 100. */
	if (u > power10[digits])
		u = round_at(b, ++k);
	else if (u == power10[digits])
		u = power10[digits - 1], k++;
	return write_decimal(buf, bits >> 63, (struct decimal){ u, k });
}

size_t ood_num_format_uint(char *buf, uint64_t u)
{
	char text[24];
	unsigned n = u ? digit_count(u) : 1;
	uint64_t high = u / 10000000000000000u, low = u % 10000000000000000u;

	store8(text, split_digits((uint32_t)high));
	store8(text + 8, split_digits((uint32_t)(low / 100000000)));
	store8(text + 16, split_digits((uint32_t)(low % 100000000)));
	memcpy(buf, text + 24 - n, n);
	buf[n] = '\0';
	return n;
}

size_t ood_num_format_int(char *buf, int64_t i)
{
	uint64_t u = (uint64_t)i;

	if (i >= 0)
		return ood_num_format_uint(buf, u);
	buf[0] = '-';
	return 1 + ood_num_format_uint(buf + 1, 0 - u);
}
