/*
 * notes.h - sentences for people, held until the command succeeds
 */
#ifndef OOD_CORE_NOTES_H
#define OOD_CORE_NOTES_H

#include "core/base.h"

struct ood_note {
	const char *code; /* of a warning ("rank"), static; NULL: plain news */
	char *text;
	uint64_t count; /* rows, features ... that it is about; 0: none */
};

struct ood_notes { /* all zero is empty */
	struct ood_note *at;
	size_t n, room;
};

/* What was done: "knn: 2000 rows of 64 features". Never fails: without memory
 * a sentence is lost. */
void ood_notes_say(struct ood_notes *notes, const char *fmt, ...)
	OOD_PRINTF(2, 3);
/* What a careful colleague would point out. */
void ood_notes_warn(struct ood_notes *notes, const char *code, uint64_t count,
		    const char *fmt, ...) OOD_PRINTF(4, 5);
void ood_notes_free(struct ood_notes *notes);

#endif
