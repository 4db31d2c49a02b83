/* SPDX-License-Identifier: MIT */
/*
 * What the programs of the fifth choosing fleet are slow by: other functions and other mechanisms
 * than those of causes.c, causes-2.c and causes-3.c. It was the fresh one once, and has been looked
 * at.
 */
#include "fleet.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define KEYS 3000
#define HOSTS 3
#define PAGE 4096
#define DAYS 2000
#define HISTORY (1 << 20)
#define NAMES 500
#define SONGS 50000
#define LABEL 20000
#define HEAP 65536
#define LOG (1 << 18)
/* What fleets have in their directory. */
#define MASTER "text"

static struct timespec time_of(long ms)
{
	return (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
}

/* ---- Reads a counter of events, which a thread that computes adds to ---- */

static int samples;

static void collect_samples(void)
{
	burn(fleet_ms);
}

static void *sample(void *unused)
{
	collect_samples();
	eventfd_write(samples, 1);
	return unused;
}

static void drain_events(void)
{
	pthread_t thread;
	eventfd_t count;

	samples = eventfd(0, EFD_CLOEXEC);
	pthread_create(&thread, NULL, sample, NULL);
	eventfd_read(samples, &count);
	pthread_join(thread, NULL);
	close(samples);
}

CALLS(draw_oscilloscope, drain_events)
CALLS(start_measurement, draw_oscilloscope)
CALLS(calibrate_probe, drain_events)
CALLS(export_curve, drain_events)
CALLS(print_protocol, export_curve)

/* ---- Keeps a tree in order ---- */

static int compare_keys(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void balance_tree(void)
{
	static int keys[KEYS];

	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		void *root = NULL;

		for (int i = 0; i < KEYS; i++) {
			keys[i] = i * 7919 % KEYS;
			tsearch(&keys[i], &root, compare_keys);
		}
		for (int i = 0; i < KEYS; i++) {
			tdelete(&keys[i], &root, compare_keys);
		}
	}
}

CALLS(sort_inventory, balance_tree)
CALLS(open_warehouse, sort_inventory)
CALLS(plan_delivery, balance_tree)
CALLS(count_stock, balance_tree)
CALLS(close_shift, count_stock)

/* ---- Waits for answers that do not come ---- */

static void resolve_hosts(void)
{
	struct pollfd answer = { .fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
				 .events = POLLIN };

	for (int i = 0; i < HOSTS; i++) {
		poll(&answer, 1, (int)(fleet_ms / HOSTS));
	}
	close(answer.fd);
}

CALLS(discover_printers, resolve_hosts)
CALLS(show_neighbours, discover_printers)
CALLS(check_licences, resolve_hosts)

/* ---- Maps a file, reads it and unmaps it ---- */

static void map_archives(void)
{
	int file = open(MASTER, O_RDONLY | O_CLOEXEC);
	struct stat state;

	if (fstat(file, &state) != 0) {
		return;
	}
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		const char *bytes =
			mmap(NULL, (size_t)state.st_size, PROT_READ, MAP_PRIVATE, file, 0);

		for (off_t i = 0; i < state.st_size; i += PAGE) {
			fleet_sum += (unsigned char)bytes[i];
		}
		munmap((void *)bytes, (size_t)state.st_size);
	}
	close(file);
}

CALLS(search_minutes, map_archives)
CALLS(prepare_meeting, search_minutes)
CALLS(browse_library, map_archives)

/* ---- Waits for a file to appear, which a thread makes after it has computed ---- */

static char spool[64];

static void print_pages(void)
{
	burn(fleet_ms);
}

static void *fill_spool(void *unused)
{
	char page[128];

	print_pages();
	snprintf(page, sizeof(page), "%s/page", spool);
	close(open(page, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	unlink(page);
	return unused;
}

static void watch_spool(void)
{
	char events[1024];
	pthread_t thread;
	int watcher = inotify_init1(IN_CLOEXEC);

	snprintf(spool, sizeof(spool), "fleet-spool-%d", getpid());
	mkdir(spool, 0700);
	inotify_add_watch(watcher, spool, IN_CREATE);
	pthread_create(&thread, NULL, fill_spool, NULL);
	fleet_sum += (unsigned long)read(watcher, events, sizeof(events));
	pthread_join(thread, NULL);
	close(watcher);
	rmdir(spool);
}

CALLS(send_fax, watch_spool)
CALLS(approve_contract, send_fax)
CALLS(proof_read, watch_spool)

/* ---- Computes and prints dates ---- */

static void print_calendar(void)
{
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		for (time_t day = 0; day < DAYS; day++) {
			time_t time = day * 86400;
			char text[64];
			struct tm date;

			gmtime_r(&time, &date);
			strftime(text, sizeof(text), "%A, %d %B %Y, week %V", &date);
			fleet_sum += (unsigned char)text[3] + (unsigned long)timegm(&date);
		}
	}
}

CALLS(shift_rosters, print_calendar)
CALLS(publish_rosters, shift_rosters)
CALLS(remind_guests, print_calendar)

/* ---- Waits for a message of a child that computes ---- */

struct letter {
	long type;
	char text[16];
};

static void draft_reply(void)
{
	burn(fleet_ms);
}

static void ask_secretary(void)
{
	struct letter letter = { .type = 1 };
	int queue = msgget(IPC_PRIVATE, 0600);
	pid_t child = fork();

	if (child == 0) {
		draft_reply();
		_exit(msgsnd(queue, &letter, sizeof(letter.text), 0) != 0);
	}
	fleet_sum += (unsigned long)msgrcv(queue, &letter, sizeof(letter.text), 1, 0);
	waitpid(child, NULL, 0);
	msgctl(queue, IPC_RMID, NULL);
}

CALLS(arrange_interview, ask_secretary)
CALLS(hire_staff, arrange_interview)
CALLS(decline_offer, ask_secretary)

/* ---- Reads what the kernel says of processes ---- */

static void count_processes(void)
{
	static const char *const files[] = { "/proc/self/maps", "/proc/self/status",
					     "/proc/self/stat" };

	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		for (int i = 0; i < 3; i++) {
			char text[PAGE];
			int file = open(files[i], O_RDONLY | O_CLOEXEC);

			fleet_sum += (unsigned long)read(file, text, sizeof(text));
			close(file);
		}
	}
}

CALLS(draw_load, count_processes)
CALLS(open_monitor, draw_load)
CALLS(pick_victim, count_processes)

/* ---- Waits for what nobody gives, until the time is up ---- */

static void book_seats(void)
{
	const struct timespec more = time_of(fleet_ms);
	struct timespec until;
	sem_t seats;

	sem_init(&seats, 0, 0);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += more.tv_sec + (until.tv_nsec + more.tv_nsec) / 1000000000;
	until.tv_nsec = (until.tv_nsec + more.tv_nsec) % 1000000000;
	while (sem_timedwait(&seats, &until) != 0 && errno == EINTR) {
	}
}

CALLS(reserve_table, book_seats)

/* ---- Moves memory ---- */

static void merge_histories(void)
{
	static char history[HISTORY];

	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		for (size_t i = 1; i < 20; i++) {
			memmove(history + i, history, sizeof(history) - i);
			fleet_sum += (unsigned char)history[i];
		}
	}
}

CALLS(undo_changes, merge_histories)
CALLS(reopen_draft, undo_changes)
CALLS(compare_versions, merge_histories)

/* ---- Joins a thread that sleeps ---- */

static void say_goodbye(void)
{
	pause_ms(fleet_ms);
}

static void *close_session(void *unused)
{
	say_goodbye();
	return unused;
}

static void close_sessions(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, close_session, NULL);
	pthread_join(thread, NULL);
}

CALLS(hang_up, close_sessions)

/* ---- Looks users up ---- */

static void look_up_users(void)
{
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		fleet_sum += getpwnam("nobody-of-this-name") != NULL;
	}
}

CALLS(list_owners, look_up_users)

/* ---- Waits for a signal of a child that computes ---- */

static void check_quota(void)
{
	burn(fleet_ms);
}

static void await_permit(void)
{
	sigset_t granted;
	sigset_t before;
	pid_t child;
	int signal;

	sigemptyset(&granted);
	sigaddset(&granted, SIGUSR1);
	sigprocmask(SIG_BLOCK, &granted, &before);
	child = fork();
	if (child == 0) {
		check_quota();
		_exit(kill(getppid(), SIGUSR1) != 0);
	}
	sigwait(&granted, &signal);
	waitpid(child, NULL, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

CALLS(park_car, await_permit)

/* ---- Holds names against wildcards ---- */

static void filter_names(void)
{
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		for (int i = 0; i < NAMES; i++) {
			char name[64];

			snprintf(name, sizeof(name), "album-%d-of-%d.jpeg", i, i * i);
			fleet_sum += fnmatch("*a*b*m*[0-9]*of*[!a-f].jp?g", name, 0) == 0;
		}
	}
}

CALLS(choose_albums, filter_names)

/* ---- Spins for a lock whose holder sleeps ---- */

static pthread_spinlock_t gate;

static void guard_gate(void)
{
	pause_ms(fleet_ms);
}

static void *hold_gate(void *unused)
{
	guard_gate();
	pthread_spin_unlock(&gate);
	return unused;
}

static void enter_gate(void)
{
	pthread_t thread;

	pthread_spin_init(&gate, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&gate);
	pthread_create(&thread, NULL, hold_gate, NULL);
	pthread_spin_lock(&gate);
	pthread_join(thread, NULL);
}

CALLS(board_plane, enter_gate)

/* ---- Has a file copied by the kernel ---- */

static void copy_masters(void)
{
	int master = open(MASTER, O_RDONLY | O_CLOEXEC);
	int copy = memfd_create("copy", MFD_CLOEXEC);

	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		off_t from = 0;

		lseek(copy, 0, SEEK_SET);
		fleet_sum += (unsigned long)sendfile(copy, master, &from, 1 << 20);
	}
	close(copy);
	close(master);
}

CALLS(burn_discs, copy_masters)

/* ---- Has a shell run a program that sleeps ---- */

static void run_report(void)
{
	char command[64];

	snprintf(command, sizeof(command), "sleep 0.%03ld; :", fleet_ms);
	fleet_sum += (unsigned long)system(command);
}

CALLS(end_month, run_report)

/* ---- Follows links ---- */

static void resolve_links(void)
{
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		char *path = realpath("/proc/self/cwd/tree/../tree/../tree/../tree/file-7", NULL);

		fleet_sum += path != NULL;
		free(path);
	}
}

CALLS(check_shortcuts, resolve_links)

/* ---- Draws pseudo-random numbers ---- */

static void shuffle_songs(void)
{
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		for (int i = 0; i < SONGS; i++) {
			fleet_sum += (unsigned long)lrand48();
		}
	}
}

CALLS(start_party, shuffle_songs)

/* ---- Starts threads that do nothing ---- */

static void *cross_lane(void *unused)
{
	return unused;
}

static void open_lanes(void)
{
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		pthread_t thread;

		pthread_create(&thread, NULL, cross_lane, NULL);
		pthread_join(thread, NULL);
	}
}

CALLS(fill_pool, open_lanes)

/* ---- Gives the CPU away until a thread is done ---- */

static volatile int has_moved;

static void plan_moves(void)
{
	burn(fleet_ms);
}

static void *move(void *unused)
{
	plan_moves();
	has_moved = 1;
	return unused;
}

static void take_turns(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, move, NULL);
	while (!has_moved) {
		sched_yield();
	}
	pthread_join(thread, NULL);
}

CALLS(play_chess, take_turns)

/* ---- Turns texts into wide characters ---- */

static void render_labels(void)
{
	static char label[LABEL];
	static wchar_t wide[LABEL];

	memset(label, 'l', sizeof(label) - 1);
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		fleet_sum += mbstowcs(wide, label, LABEL) + wcstombs(label, wide, LABEL);
	}
}

CALLS(draw_map, render_labels)

/* ---- Has the kernel read the program's memory ---- */

static void inspect_heap(void)
{
	static char heap[HEAP];
	static char copy[HEAP];
	const struct iovec from = { heap, sizeof(heap) };
	const struct iovec to = { copy, sizeof(copy) };

	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		fleet_sum += (unsigned long)process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	}
}

CALLS(find_leaks, inspect_heap)

/* ---- Makes a file long and short ---- */

static void rotate_logs(void)
{
	char name[64];
	int file;

	snprintf(name, sizeof(name), "fleet-log-%d", getpid());
	file = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	unlink(name);
	for (long end_ms = due_ms(); fleet_clock_ms() < end_ms;) {
		fleet_sum += (unsigned long)pwrite(file, "end", 3, LOG);
		fleet_sum += (unsigned long)ftruncate(file, 0);
	}
	close(file);
}

CALLS(end_day, rotate_logs)

const struct fleet_cause fleet_causes[] = {
	{ "drain_events", { start_measurement, calibrate_probe, print_protocol }, false },
	{ "balance_tree", { open_warehouse, plan_delivery, close_shift }, false },
	{ "resolve_hosts", { show_neighbours, check_licences }, false },
	{ "map_archives", { prepare_meeting, browse_library }, true },
	{ "watch_spool", { approve_contract, proof_read }, false },
	{ "print_calendar", { publish_rosters, remind_guests }, true },
	{ "ask_secretary", { hire_staff, decline_offer }, false },
	{ "count_processes", { open_monitor, pick_victim }, false },
	{ "book_seats", { reserve_table }, true },
	{ "merge_histories", { reopen_draft, compare_versions }, false },
	{ "close_sessions", { hang_up }, true },
	{ "look_up_users", { list_owners }, false },
	{ "await_permit", { park_car }, false },
	{ "filter_names", { choose_albums }, true },
	{ "enter_gate", { board_plane }, false },
	{ "copy_masters", { burn_discs }, false },
	{ "run_report", { end_month }, true },
	{ "resolve_links", { check_shortcuts }, false },
	{ "shuffle_songs", { start_party }, true },
	{ "open_lanes", { fill_pool }, false },
	{ "take_turns", { play_chess }, false },
	{ "render_labels", { draw_map }, true },
	{ "inspect_heap", { find_leaks }, false },
	{ "rotate_logs", { end_day }, true },
	{ 0 },
};
