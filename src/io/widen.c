/*
 * widen.c - stored numbers to float, double and int64_t, exactly
 *
 * Bytes are copied out with memcpy: data in files need not be aligned. The
 * compiler makes plain vector loads of it.
 */
#include "io/widen.h"

size_t ood_dtype_size(enum ood_dtype dtype)
{
	static const unsigned char sizes[] = {
		[OOD_F2] = 2,	[OOD_F4] = 4, [OOD_F8] = 8, [OOD_I1] = 1,
		[OOD_I2] = 2,	[OOD_I4] = 4, [OOD_I8] = 8, [OOD_U1] = 1,
		[OOD_U2] = 2,	[OOD_U4] = 4, [OOD_U8] = 8, [OOD_B1] = 1,
		[OOD_TEXT] = 0,
	};

	return sizes[dtype];
}

enum ood_dtype ood_dtype_real(enum ood_dtype dtype)
{
	switch (dtype) {
	case OOD_F2:
	case OOD_F4:
	case OOD_I1:
	case OOD_I2:
	case OOD_U1:
	case OOD_U2:
	case OOD_B1:
		return OOD_F4;
	default:
		return OOD_F8;
	}
}

static uint8_t swap8(uint8_t x)
{
	return x;
}

static uint16_t swap16(uint16_t x)
{
	return __builtin_bswap16(x);
}

static uint32_t swap32(uint32_t x)
{
	return __builtin_bswap32(x);
}

static uint64_t swap64(uint64_t x)
{
	return __builtin_bswap64(x);
}

/*
 * ood_num_half() for loops of vectors: the exponent is moved by the product
 * with 2^(127 - 15), which is exact and normalises subnormals; infinity and
 * NaN get the largest exponent.
 */
static inline float half(uint16_t bits)
{
	uint32_t wide = (uint32_t)(bits & 0x7FFF) << 13;
	uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
	float x;

	memcpy(&x, &wide, sizeof(x));
	x *= 0x1p112f;
	memcpy(&wide, &x, sizeof(x));
	wide |= (bits & 0x7C00) == 0x7C00 ? 0x7F800000u : 0;
	wide |= sign;
	memcpy(&x, &wide, sizeof(x));
	return x;
}

/*
 * A converter of elements S, whose bits are the unsigned U, to D. The test of
 * the byte order stands outside of the loops.
 */
#define CONVERTER(name, S, U, swapped, D, value)                               \
	static void name(bool swap, const char *src, size_t n, void *out)      \
	{                                                                      \
		D *to = out;                                                   \
		S x;                                                           \
		U bits;                                                        \
		for (size_t i = 0; !swap && i < n; i++) {                      \
			memcpy(&x, src + i * sizeof(S), sizeof(S));            \
			to[i] = (D)(value);                                    \
		}                                                              \
		for (size_t i = 0; swap && i < n; i++) {                       \
			memcpy(&bits, src + i * sizeof(U), sizeof(U));         \
			bits = swapped(bits);                                  \
			memcpy(&x, &bits, sizeof(S));                          \
			to[i] = (D)(value);                                    \
		}                                                              \
	}

CONVERTER(f2_f4, uint16_t, uint16_t, swap16, float, half(x))
CONVERTER(f2_f8, uint16_t, uint16_t, swap16, double, half(x))
CONVERTER(f4_f4, float, uint32_t, swap32, float, x)
CONVERTER(f4_f8, float, uint32_t, swap32, double, x)
CONVERTER(f8_f8, double, uint64_t, swap64, double, x)
CONVERTER(i1_f4, int8_t, uint8_t, swap8, float, x)
CONVERTER(i2_f4, int16_t, uint16_t, swap16, float, x)
CONVERTER(u1_f4, uint8_t, uint8_t, swap8, float, x)
CONVERTER(u2_f4, uint16_t, uint16_t, swap16, float, x)
CONVERTER(b1_f4, uint8_t, uint8_t, swap8, float, x != 0)
CONVERTER(i1_f8, int8_t, uint8_t, swap8, double, x)
CONVERTER(i2_f8, int16_t, uint16_t, swap16, double, x)
CONVERTER(i4_f8, int32_t, uint32_t, swap32, double, x)
CONVERTER(i8_f8, int64_t, uint64_t, swap64, double, x)
CONVERTER(u1_f8, uint8_t, uint8_t, swap8, double, x)
CONVERTER(u2_f8, uint16_t, uint16_t, swap16, double, x)
CONVERTER(u4_f8, uint32_t, uint32_t, swap32, double, x)
CONVERTER(u8_f8, uint64_t, uint64_t, swap64, double, x)
CONVERTER(b1_f8, uint8_t, uint8_t, swap8, double, x != 0)
CONVERTER(i1_i8, int8_t, uint8_t, swap8, int64_t, x)
CONVERTER(i2_i8, int16_t, uint16_t, swap16, int64_t, x)
CONVERTER(i4_i8, int32_t, uint32_t, swap32, int64_t, x)
CONVERTER(i8_i8, int64_t, uint64_t, swap64, int64_t, x)
CONVERTER(u1_i8, uint8_t, uint8_t, swap8, int64_t, x)
CONVERTER(u2_i8, uint16_t, uint16_t, swap16, int64_t, x)
CONVERTER(u4_i8, uint32_t, uint32_t, swap32, int64_t, x)
CONVERTER(u8_i8, uint64_t, uint64_t, swap64, int64_t, x)
CONVERTER(b1_i8, uint8_t, uint8_t, swap8, int64_t, x != 0)

typedef void converter(bool swap, const char *src, size_t n, void *out);

static converter *find(enum ood_dtype from, enum ood_dtype to)
{
	static const struct {
		converter *f4, *f8, *i8;
	} table[] = {
		[OOD_F2] = { f2_f4, f2_f8, NULL },
		[OOD_F4] = { f4_f4, f4_f8, NULL },
		[OOD_F8] = { NULL, f8_f8, NULL },
		[OOD_I1] = { i1_f4, i1_f8, i1_i8 },
		[OOD_I2] = { i2_f4, i2_f8, i2_i8 },
		[OOD_I4] = { NULL, i4_f8, i4_i8 },
		[OOD_I8] = { NULL, i8_f8, i8_i8 },
		[OOD_U1] = { u1_f4, u1_f8, u1_i8 },
		[OOD_U2] = { u2_f4, u2_f8, u2_i8 },
		[OOD_U4] = { NULL, u4_f8, u4_i8 },
		[OOD_U8] = { NULL, u8_f8, u8_i8 },
		[OOD_B1] = { b1_f4, b1_f8, b1_i8 },
	};

	return to == OOD_F4   ? table[from].f4
	       : to == OOD_F8 ? table[from].f8
			      : table[from].i8;
}

static uint64_t load64(bool swap, const char *src, size_t i)
{
	uint64_t bits;

	memcpy(&bits, src + i * sizeof(bits), sizeof(bits));
	return swap ? swap64(bits) : bits;
}

/* Does a 64-bit integer, given by its bits, survive the conversion? */
static bool survives(enum ood_dtype from, enum ood_dtype to, uint64_t bits)
{
	if (from == OOD_U8 && to == OOD_I8)
		return bits <= INT64_MAX;
	/* At most 53 bits between the first and the last that is set. */
	uint64_t size = bits;
	if (from == OOD_I8 && bits > INT64_MAX)
		size = 0 - bits;
	return !size ||
	       64 - __builtin_clzll(size) - __builtin_ctzll(size) <= 53;
}

static size_t first_lost(enum ood_dtype from, bool swap, const char *src,
			 size_t n, enum ood_dtype to)
{
	size_t i = 0;

	while (i < n && survives(from, to, load64(swap, src, i)))
		i++;
	return i;
}

size_t ood_widen(enum ood_dtype from, bool swap, const void *src, size_t n,
		 enum ood_dtype to, void *out)
{
	converter *convert = find(from, to);

	assert(convert);
	if ((from == OOD_I8 && to == OOD_F8) || from == OOD_U8) {
		size_t good = first_lost(from, swap, src, n, to);
		if (good < n)
			return good;
	}
	convert(swap, src, n, out);
	return n;
}

void ood_view_column(struct ood_view v, size_t col, double *to, size_t stride)
{
	const float *f4 = v.data;
	const double *f8 = v.data;

	for (size_t i = 0; v.dtype == OOD_F4 && i < v.rows; i++)
		to[i * stride] = (double)f4[i * v.stride + col];
	for (size_t i = 0; v.dtype != OOD_F4 && i < v.rows; i++)
		to[i * stride] = f8[i * v.stride + col];
}
