/*
 * mem.h - checked memory: the only caller of malloc and friends
 */
#ifndef OOD_CORE_MEM_H
#define OOD_CORE_MEM_H

#include "core/base.h"

/* False if a * b does not fit; else *r holds it. */
bool ood_mul(size_t a, size_t b, size_t *r);

/* count * size bytes, zeroed / not; NULL if too many or none there. 64-byte
 * aligned. count or size 0 gives a pointer that may be freed. */
void *ood_calloc(size_t count, size_t size);
void *ood_malloc(size_t count, size_t size);
/* For memory of ood_malloc/ood_calloc: room for count elements of size bytes,
 * the first `used` of which are kept. */
void *ood_realloc(void *p, size_t used, size_t count, size_t size);
void ood_free(void *p);

char *ood_strdup(const char *s);
char *ood_strndup(const char *s, size_t n);

/* A string that grows; text is always terminated. All zero is empty. */
struct ood_buf {
	char *text;
	size_t n, room;
	bool failed; /* memory ran out: contents stand, no call adds */
};
/* Room for n more bytes (and the terminator); NULL if there is none. */
char *ood_buf_reserve(struct ood_buf *buf, size_t n);
void ood_buf_add(struct ood_buf *buf, const void *bytes, size_t n);
void ood_buf_str(struct ood_buf *buf, const char *s);
void ood_buf_char(struct ood_buf *buf, char c);
void ood_buf_printf(struct ood_buf *buf, const char *fmt, ...) OOD_PRINTF(2, 3);
void ood_buf_num(struct ood_buf *buf, double x); /* shortest, num.h */
void ood_buf_int(struct ood_buf *buf, int64_t i);
void ood_buf_clear(struct ood_buf *buf); /* keeps the memory */
void ood_buf_free(struct ood_buf *buf);

/*
 * Room for one more element of an array: grows *array (of *room elements of
 * size bytes, n used) by half. False when memory ends.
 */
bool ood_grow(void *array, size_t n, size_t *room, size_t size);

/* Physical memory in bytes; 0 if the system does not say. */
uint64_t ood_physical_memory(void);

#endif
