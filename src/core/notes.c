/*
 * notes.c - sentences for people, held until the command succeeds
 */
#include "core/notes.h"

#include <stdio.h>

#include "core/mem.h"

static void add(struct ood_notes *notes, struct ood_note note, const char *fmt,
		va_list args)
{
	char text[OOD_WHAT_MAX];

	vsnprintf(text, sizeof(text), fmt, args);
	if (!notes ||
	    !ood_grow(&notes->at, notes->n, &notes->room, sizeof(*notes->at)))
		return;
	note.text = ood_strdup(text);
	if (note.text)
		notes->at[notes->n++] = note;
}

void ood_notes_say(struct ood_notes *notes, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(notes, (struct ood_note){ 0 }, fmt, args);
	va_end(args);
}

void ood_notes_warn(struct ood_notes *notes, const char *code, uint64_t count,
		    const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(notes, (struct ood_note){ .code = code, .count = count }, fmt,
	    args);
	va_end(args);
}

void ood_notes_free(struct ood_notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		ood_free(notes->at[i].text);
	ood_free(notes->at);
	*notes = (struct ood_notes){ 0 };
}
