/*
 * foreign.h - formats that are known and not read
 */
#ifndef OOD_IO_FOREIGN_H
#define OOD_IO_FOREIGN_H

#include "core/base.h"

/* If the first bytes of a file are those of a format that is not read,
 * refuses it by name with what to do; else OOD_OK. */
int ood_foreign_refuse(const char *at, size_t n, struct ood_err *err);

/* The same for PyTorch's zip files and spreadsheets, told by a member. */
int ood_foreign_refuse_zip(const char *member, struct ood_err *err);

#endif
