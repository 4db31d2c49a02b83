/* SPDX-License-Identifier: MIT */
/*
 * To be preloaded: maps every ELF file that the process has loaded once more, as data, as a tracer
 * or a symboliser does. Readers of recordings that take the last mapping of a file for its place
 * lose nearly all stacks of such a process.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int map_as_data(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *path = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	(void)size;
	(void)data;
	if (fd >= 0 && fstat(fd, &status) == 0) {
		mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (fd >= 0) {
		close(fd);
	}
	return 0;
}

__attribute__((constructor)) static void map_all(void)
{
	dl_iterate_phdr(map_as_data, NULL);
}
