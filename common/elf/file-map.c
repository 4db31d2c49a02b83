/* SPDX-License-Identifier: MIT */
/*
 * See file-map.h. The handler runs wherever a map is touched: it takes no lock, and finds the maps
 * in a list whose members are reused and never freed.
 */
#include "common/elf/file-map.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct itp_watch {
	/* Range of the map, 0 while unused. */
	atomic_uintptr_t begin;
	atomic_size_t size;
	atomic_bool has_changed;
	struct itp_watch *next;
};

/* Lock for makers and releasers of maps. */
static GMutex lock;
static unsigned int map_count;
static bool is_handling;
static struct sigaction before;
/* State read by the handler. */
static struct itp_watch *_Atomic watches;
static uintptr_t page_mask;

/* Calls the previous handler, or ends the process as without any. */
static void hand_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(number, info, context);
	} else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
		before.sa_handler(number);
	} else {
		/* The instruction is repeated, and with it the signal. */
		signal(number, SIG_DFL);
	}
}

static struct itp_watch *find_watch(uintptr_t address)
{
	for (struct itp_watch *watch = watches; watch; watch = watch->next) {
		uintptr_t begin = watch->begin;

		if (begin != 0 && address >= begin && address - begin < watch->size) {
			return watch;
		}
	}
	return NULL;
}

/* A file that does not reach to the page reaches to none behind it. */
static void handle(int number, siginfo_t *info, void *context)
{
	int saved_errno = errno;
	uintptr_t page = (uintptr_t)info->si_addr & page_mask;
	struct itp_watch *watch = find_watch((uintptr_t)info->si_addr);

	if (watch &&
	    mmap((void *)page, watch->begin + watch->size - page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED) {
		watch->has_changed = true;
	} else {
		hand_on(number, info, context);
	}
	errno = saved_errno;
}

static void begin_handling(void)
{
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	page_mask = ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
	sigemptyset(&action.sa_mask);
	is_handling = sigaction(SIGBUS, &action, &before) == 0;
}

/* A handler set after this one stays, and so does this one below: the later one may hand signals
 * down, and handing them back would never end. */
static void end_handling(void)
{
	struct sigaction now;

	if (sigaction(SIGBUS, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
	    now.sa_sigaction == handle) {
		is_handling = sigaction(SIGBUS, &before, NULL) != 0;
	}
}

static struct itp_watch *free_watch(void)
{
	struct itp_watch *watch = watches;

	while (watch && watch->begin != 0) {
		watch = watch->next;
	}
	if (!watch) {
		watch = g_new0(struct itp_watch, 1);
		watch->next = watches;
		watches = watch;
	}
	return watch;
}

static struct itp_watch *begin_watch(uintptr_t begin, size_t size)
{
	struct itp_watch *watch;

	g_mutex_lock(&lock);
	if (map_count++ == 0 && !is_handling) {
		begin_handling();
	}
	watch = free_watch();
	watch->size = size;
	watch->has_changed = false;
	watch->begin = begin;
	g_mutex_unlock(&lock);
	return watch;
}

static void end_watch(struct itp_watch *watch)
{
	g_mutex_lock(&lock);
	watch->begin = 0;
	if (--map_count == 0 && is_handling) {
		end_handling();
	}
	g_mutex_unlock(&lock);
}

static int map_file(struct itp_file_map *map, int file)
{
	struct stat status;
	void *memory;

	if (fstat(file, &status) != 0) {
		return ITP_ERROR_IO;
	}
	if (status.st_size == 0) {
		return ITP_ERROR_CHANGED;
	}
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_NORESERVE, file, 0);
	if (memory == MAP_FAILED) {
		return ITP_ERROR_IO;
	}
	map->bytes = (struct itp_bytes){ .data = memory, .size = (size_t)status.st_size };
	map->modified_s = status.st_mtime;
	map->watch = begin_watch((uintptr_t)memory, map->bytes.size);
	return 0;
}

int itp_file_map_init(struct itp_file_map *map, int file)
{
	int error;
	int saved_errno;

	*map = (struct itp_file_map){ .watch = NULL };
	error = map_file(map, file);
	saved_errno = errno;
	close(file);
	errno = saved_errno;
	return error;
}

void itp_file_map_release(struct itp_file_map *map)
{
	int saved_errno = errno;

	if (map->watch) {
		end_watch(map->watch);
		munmap((void *)(uintptr_t)map->bytes.data, map->bytes.size);
	}
	*map = (struct itp_file_map){ .watch = NULL };
	errno = saved_errno;
}

void itp_file_map_forget(const struct itp_file_map *map, uint64_t begin, uint64_t end)
{
	uintptr_t first = ((uintptr_t)map->bytes.data + begin + ~page_mask) & page_mask;
	uintptr_t limit = (uintptr_t)map->bytes.data + end;

	if (first < limit) {
		madvise((void *)first, limit - first, MADV_DONTNEED);
	}
}

bool itp_file_map_has_changed(const struct itp_file_map *map)
{
	const volatile uint8_t *bytes = map->bytes.data;

	if (!map->watch) {
		return false;
	}
	/* Inside of the file's last page, zeros come without a signal. */
	(void)bytes[map->bytes.size - 1];
	return map->watch->has_changed;
}
