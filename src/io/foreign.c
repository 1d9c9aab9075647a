/*
 * foreign.c - formats that are known and not read
 *
 * Half of what people save is a pickle under one name or another. Loading one
 * can run any code, so none is; the sentence says how to save arrays.
 */
#include "io/foreign.h"

#include "core/err.h"

#define SAVE_NUMPY "np.save(\"logits.npy\", t.float().cpu().numpy())"
#define PICKLE                                                                 \
	"loading it may run code, so it is not read (in Python: " SAVE_NUMPY ")"
#define TO_ARRAY "not read (save the array with numpy: np.save(\"x.npy\", a))"

/* Tests what a short magic word cannot tell. */
static bool is_safetensors(const char *at, size_t n)
{
	enum { HEADER_MAX = 100000000 };
	uint64_t length = 0;

	if (n < 10 || at[8] != '{' || (at[9] != '"' && at[9] != '}'))
		return false;
	for (unsigned i = 0; i < 8; i++)
		length |= (uint64_t)(unsigned char)at[i] << 8 * i;
	return length >= 2 && length <= HEADER_MAX;
}

static bool is_pickle(const char *at, size_t n)
{
	return n >= 2 && (unsigned char)at[0] == 0x80 && at[1] >= 2 &&
	       at[1] <= 5;
}

/* "PAR1" may also be the first column of a CSV: then text follows. */
static bool is_parquet(const char *at, size_t n)
{
	return n > 4 && !memcmp(at, "PAR1", 4) &&
	       ((unsigned char)at[4] < ' ' || (unsigned char)at[4] > '~') &&
	       at[4] != '\n' && at[4] != '\r' && at[4] != '\t';
}

static const struct {
	const char *name;
	const char *magic;
	size_t size;
	bool (*test)(const char *at, size_t n);
	const char *advice;
} foreign[] = {
	{ "PyTorch or pickle file", NULL, 0, is_pickle, PICKLE },
	{ "safetensors file", NULL, 0, is_safetensors,
	  "not read (in Python: np.save(\"logits.npy\", "
	  "load_file(F)[\"logits\"].float().cpu().numpy()))" },
	{ "HDF5 file", "\x89HDF\r\n\x1A\n", 8, NULL,
	  "not read (in Python: np.save(\"x.npy\", h5py.File(F)[\"x\"][()]))" },
	{ "Parquet file", NULL, 0, is_parquet,
	  "not read (in Python: pd.read_parquet(F).to_csv(\"x.csv\", "
	  "index=False))" },
	{ "Arrow file", "ARROW1\0", 7, NULL,
	  "not read (in Python: pd.read_feather(F).to_csv(\"x.csv\", "
	  "index=False))" },
	{ "Excel file", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 8, NULL,
	  "not read (save it as CSV UTF-8)" },
	{ "MATLAB file", "MATLAB 5.0 MAT-file", 19, NULL,
	  "not read (in Python: np.save(\"x.npy\", "
	  "scipy.io.loadmat(F)[\"x\"]))" },
	{ "MATLAB file", "MATLAB 7.3 MAT-file", 19, NULL, TO_ARRAY },
	{ "zstd-compressed", "\x28\xB5\x2F\xFD", 4, NULL,
	  "decompress it first (zstd -dc F | ood ...)" },
	{ "xz-compressed", "\xFD\x37zXZ", 5, NULL,
	  "decompress it first (xz -dc F | ood ...)" },
	{ "lz4-compressed", "\x04\x22\x4D\x18", 4, NULL,
	  "decompress it first (lz4 -dc F | ood ...)" },
	{ "UTF-16 text", "\xFF\xFE", 2, NULL, "re-save it as UTF-8" },
	{ "UTF-16 text", "\xFE\xFF", 2, NULL, "re-save it as UTF-8" },
};

/* A digit and the first bytes of pi; or nothing at all behind the digit. */
static bool is_bzip2(const char *at, size_t n)
{
	return n >= 10 && !memcmp(at, "BZh", 3) && at[3] >= '1' &&
	       at[3] <= '9' &&
	       (!memcmp(at + 4, "1AY&SY", 6) ||
		!memcmp(at + 4, "\x17\x72\x45\x38\x50\x90", 6));
}

int ood_foreign_refuse(const char *at, size_t n, struct ood_err *err)
{
	for (size_t i = 0; i < OOD_COUNT(foreign); i++) {
		bool is = foreign[i].test
				  ? foreign[i].test(at, n)
				  : n >= foreign[i].size &&
					    !memcmp(at, foreign[i].magic,
						    foreign[i].size);
		if (is)
			return ood_fail(err, OOD_INPUT, "%s: %s",
					foreign[i].name, foreign[i].advice);
	}
	if (is_bzip2(at, n))
		return ood_fail(err, OOD_INPUT,
				"bzip2-compressed: decompress it first "
				"(bzip2 -dc F | ood ...)");
	return OOD_OK;
}

int ood_foreign_refuse_zip(const char *member, struct ood_err *err)
{
	size_t n = strlen(member);
	static const char pickle[] = "data.pkl";
	size_t tail = sizeof(pickle) - 1;

	if (n >= tail && !strcmp(member + n - tail, pickle) &&
	    (n == tail || member[n - tail - 1] == '/'))
		return ood_fail(err, OOD_INPUT, "PyTorch file: %s", PICKLE);
	if (!strncmp(member, "xl/", 3))
		return ood_fail(err, OOD_INPUT,
				"Excel file: not read (save it as CSV UTF-8)");
	return OOD_OK;
}
