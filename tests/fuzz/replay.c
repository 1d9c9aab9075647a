/*
 * replay.c - runs the saved corpus through every fuzz target
 *
 *	fuzz CORPUS		CORPUS/TARGET/FILE..., as ordinary tests
 *
 * With libFuzzer: clang -fsanitize=fuzzer -DOOD_FUZZ=npy ... (see
 * CONTRIBUTING.md). A crash or a sanitizer's report ends the run.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OOD_TARGET(name) int ood_fuzz_##name(const uint8_t *data, size_t n);
#include "targets.def"
#undef OOD_TARGET

#ifdef OOD_FUZZ
#define CALL2(name) ood_fuzz_##name
#define CALL(name) CALL2(name)
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	return CALL(OOD_FUZZ)(data, n);
}
#else
static const struct {
	const char *name;
	int (*run)(const uint8_t *data, size_t n);
} targets[] = {
#define OOD_TARGET(name) { #name, ood_fuzz_##name },
#include "targets.def"
#undef OOD_TARGET
};

static int run_file(int (*run)(const uint8_t *, size_t), const char *path)
{
	FILE *f = fopen(path, "rb");
	static uint8_t data[1 << 20];

	if (!f)
		return 1;
	size_t n = fread(data, 1, sizeof(data), f);
	fclose(f);
	/* A copy of just this size: reads beyond it are found. */
	uint8_t *copy = malloc(n ? n : 1);
	if (!copy)
		return 1;
	memcpy(copy, data, n);
	run(copy, n);
	free(copy);
	return 0;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;
	char path[4096];

	for (size_t t = 0; argc > 1 && t < sizeof(targets) / sizeof(*targets);
	     t++) {
		snprintf(path, sizeof(path), "%s/%s", argv[1],
			 targets[t].name);
		DIR *dir = opendir(path);
		struct dirent *entry;
		if (!dir) {
			printf("no corpus %s\n", path);
			failed++;
			continue;
		}
		while ((entry = readdir(dir))) {
			if (entry->d_name[0] == '.')
				continue;
			snprintf(path, sizeof(path), "%s/%s/%s", argv[1],
				 targets[t].name, entry->d_name);
			if (run_file(targets[t].run, path))
				failed++;
			else
				passed++;
		}
		closedir(dir);
	}
	printf("fuzz: %d passed, %d failed\n", passed, failed);
	return failed != 0;
}
#endif
