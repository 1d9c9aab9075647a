/*
 * main.c - runs the unit suites; `unit NAME...` runs those named
 *
 * Prints one line a failure and, last, "unit: N passed, N failed".
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OOD_SUITE(name) Suite *suite_##name(void);
#include "suites.def"
#undef OOD_SUITE

static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = {
#define OOD_SUITE(name) { #name, suite_##name },
#include "suites.def"
#undef OOD_SUITE
};

static int wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc < 2;
}

int main(int argc, char **argv)
{
	int run = 0, failed = 0;

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		if (!wanted(suites[i].name, argc, argv))
			continue;
		SRunner *r = srunner_create(suites[i].make());
		/* Forks hide leaks, and cost more than our tests. */
		srunner_set_fork_status(r, CK_NOFORK);
		srunner_run_all(r, CK_SILENT);
		run += srunner_ntests_run(r);
		failed += srunner_ntests_failed(r);
		TestResult **bad = srunner_failures(r);
		for (int k = 0; k < srunner_ntests_failed(r); k++)
			printf("%s:%d: %s: %s\n", tr_lfile(bad[k]),
			       tr_lno(bad[k]), tr_tcname(bad[k]),
			       tr_msg(bad[k]));
		free(bad);
		srunner_free(r);
	}
	printf("unit: %d passed, %d failed\n", run - failed, failed);
	return failed != 0;
}
