/*
 * digest_vector.h - exponentials and logarithms of vectors, once per
 * instruction set; see digest_kernel.h for what the includer defines
 */

static inline KERNEL V v_all(double x)
{
	return (V){ 0 } + x;
}

static inline KERNEL V v_read(const void *row, size_t j, bool single)
{
	if (single)
		return v_load4((const float *)row + j);
	return v_load((const double *)row + j);
}

/*
 * e^x for x <= 0, within 1.04 units in the last place of a normal result; 0
 * below -745.2. x = n ln 2 + t, |t| <= ln(2)/2, e^t by a polynomial of degree
 * 11 (minimax with the first two coefficients 1); the high part of ln 2 has 12
 * zeros at its end, so that n times it is exact.
 */
static inline KERNEL V v_exp(V x)
{
	/* Adding 1.5 2^52 rounds to an integer, which the low bits hold. */
	V shifted = x * 0x1.71547652b82fep+0 + 0x1.8p52;
	V n = shifted - 0x1.8p52;
	V t = x - n * 0x1.62e42fefa3000p-1;
	t = t - n * 0x1.3de6af278ece6p-42;
	V p = t * 0x1.ad7f79ff77143p-26 + 0x1.28ad9d7a48545p-22;
	p = p * t + 0x1.71df25922ccf5p-19;
	p = p * t + 0x1.a01999e0063d9p-16;
	p = p * t + 0x1.a01a012a1b370p-13;
	p = p * t + 0x1.6c16c18439ad6p-10;
	p = p * t + 0x1.1111111127cf6p-7;
	p = p * t + 0x1.5555555550839p-5;
	p = p * t + 0x1.55555555554f9p-3;
	p = p * t + 0x1.000000000000ap-1;
	p = (p * t) * t + t + 1.0;
	return v_scale(p, n, shifted);
}

/*
 * ln(x) + c for normal x > 0 and a c that is tiny beside it. x = 2^k (1 + f),
 * sqrt(1/2) <= 1 + f < sqrt(2); with g = f/(2 + f), ln(1 + f) = 2 atanh(g) =
 * f - f^2/2 + g (f^2/2 + R), R = 2 (g^2/3 + g^4/5 + ...): ten terms leave
 * 0.0295^10/21 < 2^-55.
 */
static inline KERNEL V v_log_normal(V x, V c)
{
	/* Bits of 1 and of sqrt(1/2), cut to 32. */
	const int64_t one = 0x3ff0000000000000, half = 0x3fe6a09e00000000;
	I bits = (I)x + (one - half);
	/* A small integer k under the bits of 2^52 is 2^52 + k. */
	V k = (V)((bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
	V f = (V)((bits & 0x000fffffffffffff) + half) - 1.0;
	V g = f / (f + 2.0), z = g * g, h = f * f * 0.5;
	V R = z * (2.0 / 19) + 2.0 / 17;

	R = R * z + 2.0 / 15;
	R = R * z + 2.0 / 13;
	R = R * z + 2.0 / 11;
	R = R * z + 2.0 / 9;
	R = R * z + 2.0 / 7;
	R = R * z + 2.0 / 5;
	R = R * z + 2.0 / 3;
	R = R * z;
	V low = g * (h + R) + (k * 0x1.ef35793c76730p-45 + c);
	return (low - h + f) + k * 0x1.62e42fefa3800p-1;
}

/* ln(x), x > 0 down to the smallest subnormal. */
static inline KERNEL V v_log(V x)
{
	V normal = v_pick(v_all(0x1p-1022), x, x * 0x1p54, x);
	V less = v_pick(v_all(0x1p-1022), x, v_all(54), v_all(0));

	return v_log_normal(normal, v_all(0)) - less * 0x1.62e42fefa39efp-1;
}

/* ln(1 + s), s >= 0: the rounding error of 1 + s goes in as c. */
static inline KERNEL V v_log1p(V s)
{
	V u = s + 1.0;

	return v_log_normal(u, (s - (u - 1.0)) / u);
}
