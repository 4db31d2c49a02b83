/* SPDX-License-Identifier: MIT */
/*
 * What the programs of the sixth choosing fleet are slow by: other functions and other mechanisms
 * than those of causes.c to causes-4.c. It was the fresh one once, and has been looked at.
 */
#include "fleet.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define BOARD 9
#define MENU 20000
#define TRACKS 6
#define VOLUME (1 << 20)

/* ---- Waits for an answer from a server on this host, which computes ---- */

static void count_ballots(void)
{
	burn(fleet_ms);
}

static void *answer_voter(void *listener)
{
	int voter = accept(*(int *)listener, NULL, NULL);

	count_ballots();
	fleet_sum += (unsigned long)send(voter, "yes", 3, 0);
	close(voter);
	return NULL;
}

static int connect_to(int listener)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int voter = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	getsockname(listener, (struct sockaddr *)&address, &length);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	connect(voter, (struct sockaddr *)&address, length);
	return voter;
}

static void collect_votes(void)
{
	struct epoll_event answered = { .events = EPOLLIN };
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int waiting = epoll_create1(EPOLL_CLOEXEC);
	pthread_t server;
	int voter;

	listen(listener, 1);
	voter = connect_to(listener);
	pthread_create(&server, NULL, answer_voter, &listener);
	epoll_ctl(waiting, EPOLL_CTL_ADD, voter, &answered);
	epoll_wait(waiting, &answered, 1, -1);
	pthread_join(server, NULL);
	close(waiting);
	close(voter);
	close(listener);
}

CALLS(elect_board, collect_votes)
CALLS(hold_assembly, elect_board)
CALLS(poll_members, collect_votes)
CALLS(settle_dispute, collect_votes)
CALLS(call_council, settle_dispute)

/* ---- Waits for a child, which waits for its own, which computes ---- */

static void unpack_volume(void)
{
	burn(fleet_ms);
}

static void wait_for_child(pid_t child)
{
	siginfo_t end;

	waitid(P_PID, (id_t)child, &end, WEXITED);
}

static void restore_volumes(void)
{
	pid_t child = fork();

	if (child == 0) {
		unpack_volume();
		_exit(0);
	}
	wait_for_child(child);
}

static void restore_backup(void)
{
	pid_t child = fork();

	if (child == 0) {
		restore_volumes();
		_exit(0);
	}
	wait_for_child(child);
}

CALLS(undelete_folder, restore_backup)
CALLS(reset_workplace, undelete_folder)
CALLS(roll_back, restore_backup)

/* ---- Waits for what a child holds, which sleeps ---- */

static void warm_lamp(void)
{
	pause_ms(fleet_ms);
}

static void claim_scanner(void)
{
	struct sembuf take = { .sem_op = -1 };
	struct sembuf give = { .sem_op = 1 };
	int scanner = semget(IPC_PRIVATE, 1, 0600);
	pid_t child = fork();

	if (child == 0) {
		warm_lamp();
		_exit(semop(scanner, &give, 1) != 0);
	}
	semop(scanner, &take, 1);
	wait_for_child(child);
	semctl(scanner, 0, IPC_RMID);
}

CALLS(digitize_letters, claim_scanner)
CALLS(empty_inbox, digitize_letters)
CALLS(copy_passport, claim_scanner)

/* ---- Waits for a timer's signal ---- */

static void hear_chime(int signal)
{
	fleet_sum += (unsigned long)signal;
}

static void await_chime(void)
{
	const struct sigaction hears = { .sa_handler = hear_chime };
	const struct itimerval timer = { .it_value = { .tv_usec = fleet_ms * 1000 } };
	struct sigaction before;
	sigset_t blocked;
	sigset_t mask;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, &mask);
	sigaction(SIGALRM, &hears, &before);
	setitimer(ITIMER_REAL, &timer, NULL);
	sigdelset(&mask, SIGALRM);
	sigsuspend(&mask);
	sigaction(SIGALRM, &before, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

CALLS(boil_egg, await_chime)

/* ---- Waits for another thread to do what is done once ---- */

static pthread_once_t vault = PTHREAD_ONCE_INIT;
static sem_t has_begun;

static void generate_keys(void)
{
	sem_post(&has_begun);
	burn(fleet_ms);
}

static void *guard_vault(void *unused)
{
	pthread_once(&vault, generate_keys);
	return unused;
}

static void open_vault(void)
{
	pthread_t guard;

	sem_init(&has_begun, 0, 0);
	pthread_create(&guard, NULL, guard_vault, NULL);
	wait_for(&has_begun);
	pthread_once(&vault, generate_keys);
	pthread_join(guard, NULL);
}

CALLS(store_jewels, open_vault)
CALLS(close_bank, store_jewels)
CALLS(count_coins, open_vault)

/* ---- Computes by recursion ---- */

static void place_queens(int row, unsigned int columns, unsigned int left, unsigned int right)
{
	unsigned int free = ((1U << BOARD) - 1) & ~(columns | left | right);

	fleet_sum += row == BOARD;
	while (free != 0) {
		unsigned int column = free & -free;

		free -= column;
		place_queens(row + 1, columns | column, (left | column) << 1,
			     (right | column) >> 1);
	}
}

static void solve_riddle(void)
{
	place_queens(0, 0, 0, 0);
}

static void solve_riddles(void)
{
	repeat(solve_riddle);
}

CALLS(grade_pupils, solve_riddles)
CALLS(end_lesson, grade_pupils)
CALLS(print_magazine, solve_riddles)

/* ---- Turns texts into those of another character set ---- */

static void translate_menu(void)
{
	static char menu[MENU];
	static char translated[4 * MENU];
	char *from = menu;
	char *to = translated;
	size_t from_length = sizeof(menu);
	size_t to_length = sizeof(translated);
	iconv_t sets = iconv_open("UTF-16LE", "UTF-8");

	memset(menu, 'm', sizeof(menu));
	fleet_sum += iconv(sets, &from, &from_length, &to, &to_length);
	iconv_close(sets);
}

static void translate_menus(void)
{
	repeat(translate_menu);
}

CALLS(welcome_tourists, translate_menus)
CALLS(open_restaurant, welcome_tourists)
CALLS(advertise_dishes, translate_menus)

/* ---- Has the kernel make a file and holes in it ---- */

static int garden;

static void dig_hole(void)
{
	fleet_sum += (unsigned long)fallocate(garden, 0, 0, VOLUME);
	fleet_sum += (unsigned long)fallocate(garden, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
					      VOLUME);
}

static void dig_holes(void)
{
	garden = memfd_create("garden", MFD_CLOEXEC);
	repeat(dig_hole);
	close(garden);
}

CALLS(plant_trees, dig_holes)

/* ---- Looks for ports that nobody has ---- */

static void try_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int port = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fleet_sum += (unsigned long)bind(port, (struct sockaddr *)&address, sizeof(address));
	close(port);
}

static void audit_ports(void)
{
	repeat(try_port);
}

CALLS(inspect_harbour, audit_ports)

/* ---- Computes, and waits for a thread that computes, in turns ---- */

static void record_voice(void)
{
	burn(fleet_ms / TRACKS / 2);
}

static void *sing(void *unused)
{
	record_voice();
	return unused;
}

static void mix_tracks(void)
{
	for (int i = 0; i < TRACKS; i++) {
		pthread_t singer;

		pthread_create(&singer, NULL, sing, NULL);
		pthread_join(singer, NULL);
		burn(fleet_ms / TRACKS / 2);
	}
}

CALLS(release_album, mix_tracks)
CALLS(go_on_tour, release_album)
CALLS(rehearse_song, mix_tracks)
CALLS(open_studio, mix_tracks)

const struct fleet_cause fleet_causes[] = {
	{ "collect_votes", { hold_assembly, poll_members, call_council }, false },
	{ "restore_backup", { reset_workplace, roll_back }, false },
	{ "claim_scanner", { empty_inbox, copy_passport }, true },
	{ "await_chime", { boil_egg }, true },
	{ "open_vault", { close_bank, count_coins }, false },
	{ "solve_riddles", { end_lesson, print_magazine }, true },
	{ "translate_menus", { open_restaurant, advertise_dishes }, false },
	{ "dig_holes", { plant_trees }, false },
	{ "audit_ports", { inspect_harbour }, true },
	{ "mix_tracks", { go_on_tour, rehearse_song, open_studio }, false },
	{ 0 },
};
