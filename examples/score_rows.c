/*
 * score_rows.c - score a file of logits with libood
 *
 *	score_rows FILE [SCORERS]
 *
 * cc score_rows.c $(pkg-config --cflags --libs ood)
 */
#include <ood.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(const struct ood_err *err)
{
	char text[OOD_ERR_TEXT_MAX];

	fprintf(stderr, "%s\n", ood_err_text(err, text, sizeof(text)));
	return (int)err->code;
}

static void print_scores(const struct ood_model *model, const double *scores,
			 size_t rows)
{
	size_t columns = ood_model_columns(model);

	for (size_t c = 0; c < columns; c++)
		printf("%s%s", c ? "\t" : "", ood_model_column(model, c));
	putchar('\n');
	for (size_t i = 0; i < rows; i++)
		for (size_t c = 0; c < columns; c++)
			printf("%.6f%c", scores[i * columns + c],
			       c + 1 < columns ? '\t' : '\n');
}

int main(int argc, char **argv)
{
	struct ood_read read = { 0 };
	struct ood_set *set = NULL;
	struct ood_model *model = NULL;
	struct ood_mat logits = { 0 };
	double *scores = NULL;
	struct ood_err err;

	if (argc < 2)
		return OOD_USAGE;
	int code = ood_set_open(&set, argv[1], &read, &err);
	if (!code)
		code = ood_set_read(set, OOD_LOGITS, &logits, &err);
	if (!code)
		code = ood_model_parse(&model,
				       argc > 2 ? argv[2] : "msp,energy", &err);
	if (!code) {
		scores = malloc(sizeof(double) * logits.rows *
				ood_model_columns(model));
		code = ood_model_score(model, OOD_LOGITS, ood_mat_view(&logits),
				       scores, &err);
	}
	if (!code)
		print_scores(model, scores, logits.rows);
	free(scores);
	ood_model_free(model);
	ood_mat_free(&logits);
	ood_set_close(set);
	return code ? complain(&err) : 0;
}
