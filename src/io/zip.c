/*
 * zip.c - the directory of a ZIP archive
 */
#include "io/zip.h"

#include "core/err.h"
#include "core/mem.h"

enum {
	END_SIZE = 22, /* end of central directory, without its comment */
	COMMENT_MAX = 65535,
	LOCATOR_SIZE = 20,
	END64_SIZE = 56,
	ENTRY_SIZE = 46, /* of the directory, without name and extras */
	LOCAL_SIZE = 30,
	DIRECTORY_MAX = 1 << 28,
	ENCRYPTED = 1, /* flag bit */
	ZIP64_EXTRA = 1,
};

static const unsigned char END_MAGIC[] = "PK\5\6";
static const unsigned char LOCATOR_MAGIC[] = "PK\6\7";
static const unsigned char END64_MAGIC[] = "PK\6\6";
static const unsigned char ENTRY_MAGIC[] = "PK\1\2";
static const unsigned char LOCAL_MAGIC[] = "PK\3\4";

static uint64_t number(const unsigned char *at, unsigned bytes)
{
	uint64_t x = 0;

	for (unsigned i = 0; i < bytes; i++)
		x |= (uint64_t)at[i] << 8 * i;
	return x;
}

static bool is(const unsigned char *at, const unsigned char *magic)
{
	return !memcmp(at, magic, 4);
}

bool ood_zip_sniff(const char *at, size_t n)
{
	return n >= 4 && (is((const void *)at, LOCAL_MAGIC) ||
			  is((const void *)at, END_MAGIC));
}

static int fail_corrupt(const char *what, struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT, "corrupt ZIP archive: %s", what);
}

/* Where the directory is. */
struct directory {
	uint64_t at, size, entries;
	uint64_t limit; /* where what comes after it begins */
};

static bool inside(const struct ood_zip *zip, uint64_t at, uint64_t n)
{
	return at <= zip->feed.size && n <= zip->feed.size - at;
}

static int find_end64(const struct ood_zip *zip, uint64_t end,
		      struct directory *d, struct ood_err *err)
{
	unsigned char b[END64_SIZE];
	int rc;

	if (end < LOCATOR_SIZE)
		return fail_corrupt("no zip64 locator", err);
	rc = ood_feed_pread(&zip->feed, b, LOCATOR_SIZE, end - LOCATOR_SIZE,
			    err);
	if (rc)
		return rc;
	if (!is(b, LOCATOR_MAGIC))
		return fail_corrupt("no zip64 locator", err);
	d->limit = number(b + 8, 8);
	if (!inside(zip, d->limit, END64_SIZE) ||
	    d->limit + END64_SIZE > end - LOCATOR_SIZE)
		return fail_corrupt("zip64 directory outside the file", err);
	rc = ood_feed_pread(&zip->feed, b, END64_SIZE, d->limit, err);
	if (rc)
		return rc;
	if (!is(b, END64_MAGIC))
		return fail_corrupt("no zip64 directory", err);
	d->entries = number(b + 32, 8);
	d->size = number(b + 40, 8);
	d->at = number(b + 48, 8);
	return OOD_OK;
}

static int find_directory(const struct ood_zip *zip, struct directory *d,
			  struct ood_err *err)
{
	size_t n = (size_t)OOD_MIN(zip->feed.size,
				   (uint64_t)END_SIZE + COMMENT_MAX);
	unsigned char *tail = ood_malloc(n, 1);
	int rc = tail ? ood_feed_pread(&zip->feed, tail, n, zip->feed.size - n,
				       err)
		      : ood_fail_memory(err, n);
	size_t i = n >= END_SIZE ? n - END_SIZE + 1 : 0;

	/* The last one whose comment ends with the file. */
	while (!rc && i > 0) {
		const unsigned char *at = tail + --i;
		if (!is(at, END_MAGIC) ||
		    number(at + 20, 2) != n - i - END_SIZE)
			continue;
		d->limit = zip->feed.size - n + i;
		d->entries = number(at + 10, 2);
		d->size = number(at + 12, 4);
		d->at = number(at + 16, 4);
		bool wide = d->entries == 0xFFFF || d->size == 0xFFFFFFFF ||
			    d->at == 0xFFFFFFFF;
		rc = wide ? find_end64(zip, d->limit, d, err) : OOD_OK;
		ood_free(tail);
		return rc;
	}
	ood_free(tail);
	return rc ? rc
		  : fail_corrupt("truncated, its directory is missing", err);
}

static int check_directory(const struct directory *d, struct ood_err *err)
{
	if (d->at > d->limit || d->size > d->limit - d->at)
		return fail_corrupt("directory outside the file", err);
	if (d->entries > OOD_ZIP_MEMBERS_MAX)
		return ood_fail(err, OOD_INPUT,
				"ZIP archive of %llu members (limit %d)",
				(unsigned long long)d->entries,
				OOD_ZIP_MEMBERS_MAX);
	if (d->size > DIRECTORY_MAX || d->entries * ENTRY_SIZE > d->size)
		return fail_corrupt("directory size", err);
	return OOD_OK;
}

/* Fields that do not fit 32 bits stand in the extra field 1, in this order. */
static bool take_zip64(struct ood_zip_member *m, const unsigned char *extra,
		       size_t n)
{
	uint64_t *const fields[] = { &m->size, &m->packed, &m->header };
	size_t length = 0;

	for (; n >= 4; extra += length, n -= length) {
		length = 4 + (size_t)number(extra + 2, 2);
		if (length > n)
			return false;
		if (number(extra, 2) != ZIP64_EXTRA)
			continue;
		const unsigned char *at = extra + 4, *end = extra + length;
		for (size_t i = 0; i < OOD_COUNT(fields); i++) {
			if (*fields[i] != 0xFFFFFFFF)
				continue;
			if (end - at < 8)
				return false;
			*fields[i] = number(at, 8);
			at += 8;
		}
		return true;
	}
	return true;
}

/* One entry of the directory; *used, its bytes. */
static int take_entry(struct ood_zip_member *m, const unsigned char *b,
		      size_t n, size_t *used, struct ood_err *err)
{
	if (n < ENTRY_SIZE || !is(b, ENTRY_MAGIC))
		return fail_corrupt("directory entry", err);
	size_t name = (size_t)number(b + 28, 2);
	size_t extra = (size_t)number(b + 30, 2);
	*used = ENTRY_SIZE + name + extra + (size_t)number(b + 32, 2);
	if (*used > n)
		return fail_corrupt("directory entry", err);
	if (name > OOD_ZIP_NAME_MAX)
		return fail_corrupt("a member's name is too long", err);
	if (memchr(b + ENTRY_SIZE, 0, name))
		return fail_corrupt("a NUL byte in a member's name", err);
	m->encrypted = number(b + 8, 2) & ENCRYPTED;
	m->method = (unsigned)number(b + 10, 2);
	m->crc = (uint32_t)number(b + 16, 4);
	m->packed = number(b + 20, 4);
	m->size = number(b + 24, 4);
	m->header = number(b + 42, 4);
	if (!take_zip64(m, b + ENTRY_SIZE + name, extra))
		return fail_corrupt("extra field of a member", err);
	m->name = ood_strndup((const char *)b + ENTRY_SIZE, name);
	return m->name ? OOD_OK : ood_fail_memory(err, name);
}

/* The local header tells where the data begins; its sizes may be 0. */
static int take_local(const struct ood_zip *zip, struct ood_zip_member *m,
		      uint64_t limit, struct ood_err *err)
{
	unsigned char b[LOCAL_SIZE];
	char shown[OOD_QUOTE_MAX];

	ood_quote(shown, sizeof(shown), m->name, strlen(m->name));
	if (m->header > limit || limit - m->header < LOCAL_SIZE)
		return ood_fail(err, OOD_INPUT,
				"corrupt ZIP archive: member %s lies outside "
				"the file",
				shown);
	int rc = ood_feed_pread(&zip->feed, b, LOCAL_SIZE, m->header, err);
	if (rc)
		return rc;
	if (!is(b, LOCAL_MAGIC))
		return ood_fail(err, OOD_INPUT,
				"corrupt ZIP archive: no header of member %s",
				shown);
	m->data =
		m->header + LOCAL_SIZE + number(b + 26, 2) + number(b + 28, 2);
	if (m->data > limit || m->packed > limit - m->data)
		return ood_fail(err, OOD_INPUT,
				"corrupt ZIP archive: member %s is truncated "
				"or lies outside the file",
				shown);
	return OOD_OK;
}

static int by_name(const void *a, const void *b)
{
	const struct ood_zip_member *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int by_place(const void *a, const void *b)
{
	const struct ood_zip_member *const *x = a, *const *y = b;

	return ((*x)->header > (*y)->header) - ((*x)->header < (*y)->header);
}

/* Members that share bytes are how small archives unpack to petabytes. */
static int check_pairs(const struct ood_zip *zip, struct ood_err *err)
{
	const struct ood_zip_member **sorted =
		ood_malloc(zip->n, sizeof(struct ood_zip_member *));
	char shown[OOD_QUOTE_MAX];
	int rc = OOD_OK;

	if (!sorted)
		return ood_fail_memory(err, zip->n * sizeof(*sorted));
	for (size_t i = 0; i < zip->n; i++)
		sorted[i] = &zip->members[i];
	qsort(sorted, zip->n, sizeof(*sorted), by_name);
	for (size_t i = 1; i < zip->n && !rc; i++) {
		const char *name = sorted[i]->name;
		if (!strcmp(sorted[i - 1]->name, name))
			rc = ood_fail(err, OOD_INPUT,
				      "two members are named %s",
				      ood_quote(shown, sizeof(shown), name,
						strlen(name)));
	}
	qsort(sorted, zip->n, sizeof(*sorted), by_place);
	for (size_t i = 1; i < zip->n && !rc; i++)
		if (sorted[i - 1]->data + sorted[i - 1]->packed >
		    sorted[i]->header)
			rc = fail_corrupt("members overlap", err);
	ood_free(sorted);
	return rc;
}

static int take_entries(struct ood_zip *zip, const struct directory *d,
			const unsigned char *b, struct ood_err *err)
{
	size_t left = (size_t)d->size, used = 0;
	int rc = OOD_OK;

	for (; !rc && zip->n < d->entries; b += used, left -= used) {
		struct ood_zip_member *m = &zip->members[zip->n];
		rc = take_entry(m, b, left, &used, err);
		if (!rc) {
			zip->n++;
			rc = take_local(zip, m, d->at, err);
		}
	}
	return rc ? rc : check_pairs(zip, err);
}

int ood_zip_open(struct ood_zip *zip, struct ood_err *err)
{
	struct directory d = { 0 };
	int rc = find_directory(zip, &d, err);

	if (!rc)
		rc = check_directory(&d, err);
	if (rc)
		return rc;
	zip->members = ood_calloc((size_t)d.entries, sizeof(*zip->members));
	unsigned char *b = ood_malloc((size_t)d.size, 1);
	if (!zip->members || !b)
		rc = ood_fail_memory(err, (size_t)d.size);
	if (!rc)
		rc = ood_feed_pread(&zip->feed, b, (size_t)d.size, d.at, err);
	if (!rc)
		rc = take_entries(zip, &d, b, err);
	ood_free(b);
	return rc;
}

void ood_zip_close(struct ood_zip *zip)
{
	for (size_t i = 0; i < zip->n; i++)
		ood_free(zip->members[i].name);
	ood_free(zip->members);
	zip->members = NULL;
	zip->n = 0;
}
