/*
 * modelfile.h - a model as one .npz file that numpy opens
 *
 * meta.json says what it is (format version, stages, parameters, class names,
 * sizes, inputs); arrays of stage i are named i/NAME; the last layer is
 * head/weights and head/bias. No time, no path: equal input, equal bytes.
 * What a file claims is checked: parameters by the scorers' tables, arrays by
 * theirs.
 */
#ifndef OOD_MODEL_MODELFILE_H
#define OOD_MODEL_MODELFILE_H

#include "io/sink.h"
#include "model/chain.h"

#define OOD_MODEL_SCHEMA "ood.model/1"

int ood_model_write(const struct ood_model *model, struct ood_sink *sink,
		    struct ood_err *err);

/*
 * Reads a model: OOD_INPUT for what is no model, is damaged, of another
 * version or of sizes that do not agree. read gives --max-bytes. partial: sums
 * for a merge are expected, else they are refused (and the other way round).
 */
int ood_model_read(struct ood_model **model, const char *path,
		   const struct ood_read *read, bool partial,
		   struct ood_err *err);

/* Is it a model file? (An NPZ with a meta.json that says so.) */
bool ood_model_sniff(const char *path, const struct ood_read *read);

/* CRC-32 of a model file's bytes, for threshold files. */
int ood_model_crc(const char *path, uint32_t *crc, struct ood_err *err);
enum { OOD_CRC_TEXT = 9 };
/* As eight hexadecimal digits, as reports tell it. */
int ood_model_crc_text(const char *path, char text[OOD_CRC_TEXT],
		       struct ood_err *err);

/* meta.json of a model; free text->text. */
int ood_meta_write(const struct ood_model *model, struct ood_buf *text,
		   struct ood_err *err);
/* The model that it describes, without arrays: scorings are parsed, states
 * are made empty. */
int ood_meta_read(struct ood_model *model, const char *text, size_t n,
		  struct ood_err *err);

#endif
