/*
 * judge_scores.c - AUROC and a threshold from two arrays of scores
 *
 *	judge_scores ID.npy OOD.npy
 */
#include <ood.h>
#include <stdio.h>

static int read_scores(const char *path, struct ood_mat *scores,
		       struct ood_err *err)
{
	struct ood_read read = { .as = "scores" };
	struct ood_set *set = NULL;
	int code = ood_set_open(&set, path, &read, err);

	if (!code)
		code = ood_set_read(set, OOD_SCORES, scores, err);
	ood_set_close(set);
	return code;
}

int main(int argc, char **argv)
{
	struct ood_mat id = { 0 }, ood = { 0 };
	struct ood_detection d;
	struct ood_err err;
	double threshold;

	if (argc < 3)
		return OOD_USAGE;
	int code = read_scores(argv[1], &id, &err);
	if (!code)
		code = read_scores(argv[2], &ood, &err);
	if (!code)
		code = ood_detect(id.data, id.rows, ood.data, ood.rows, &d,
				  &err);
	if (!code)
		code = ood_threshold("keep=0.95", id.data, id.rows, ood.data,
				     ood.rows, &threshold, &err);
	if (!code)
		printf("AUROC %.6f (%.6f to %.6f), FPR95 %.6f\n"
		       "a row is OoD if its score is at least %.6f\n",
		       d.auroc, d.auroc_lo, d.auroc_hi, d.fpr95_ood, threshold);
	char text[OOD_ERR_TEXT_MAX];
	if (code)
		fprintf(stderr, "%s\n", ood_err_text(&err, text, sizeof(text)));
	ood_mat_free(&id);
	ood_mat_free(&ood);
	return code;
}
