/* SPDX-License-Identifier: MIT */
/*
 * What the programs of the third choosing fleet are slow by: other kinds of causes than those of
 * causes.c. It was the fresh one once, and has been looked at.
 */
#include "fleet.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECES 4
#define TRANSACTIONS 400
#define WORDS 500
#define LETTERS 500
#define PAGES 512

/* ---- Waits on a condition variable for a worker that computes ---- */

static pthread_mutex_t previews = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t previews_done = PTHREAD_COND_INITIALIZER;
static int previews_left;

static void render_preview(void)
{
	burn(fleet_ms / PIECES);
}

static void *render_previews(void *unused)
{
	for (int i = 0; i < PIECES; i++) {
		render_preview();
		pthread_mutex_lock(&previews);
		previews_left--;
		pthread_cond_signal(&previews_done);
		pthread_mutex_unlock(&previews);
	}
	return unused;
}

static void await_previews(void)
{
	pthread_t thread;

	previews_left = PIECES;
	pthread_create(&thread, NULL, render_previews, NULL);
	pthread_mutex_lock(&previews);
	while (previews_left > 0) {
		pthread_cond_wait(&previews_done, &previews);
	}
	pthread_mutex_unlock(&previews);
	pthread_join(thread, NULL);
}

CALLS(fill_gallery, await_previews)
CALLS(open_album, fill_gallery)
CALLS(print_contact_sheet, await_previews)
CALLS(export_album, print_contact_sheet)
CALLS(publish_album, export_album)
CALLS(pick_cover, await_previews)

/* ---- Polls what never answers ---- */

static void poll_gateway(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
		struct pollfd gateway = { .fd = ends[0], .events = POLLIN };

		poll(&gateway, 1, (int)fleet_ms);
		close(ends[0]);
		close(ends[1]);
	}
}

CALLS(find_updates, poll_gateway)
CALLS(finish_installation, find_updates)
CALLS(send_invoice, poll_gateway)
CALLS(close_order, send_invoice)
CALLS(end_shift, close_order)

/* ---- Sorts by a slow comparison ---- */

static int compare_transactions(const void *left, const void *right)
{
	const unsigned int *a = left;
	const unsigned int *b = right;
	char first[16];
	char second[16];

	snprintf(first, sizeof(first), "%08u", *a);
	snprintf(second, sizeof(second), "%08u", *b);
	return strcmp(first, second);
}

static void sort_transactions(void)
{
	unsigned int transactions[TRANSACTIONS];

	for (unsigned int i = 0; i < TRANSACTIONS; i++) {
		transactions[i] = i * 7919 % 10007;
	}
	qsort(transactions, TRANSACTIONS, sizeof(transactions[0]), compare_transactions);
	fleet_sum += transactions[0];
}

static void balance_accounts(void)
{
	repeat(sort_transactions);
}

CALLS(print_statement, balance_accounts)
CALLS(settle_day, print_statement)
CALLS(show_ledger, balance_accounts)

/* ---- Asks a server, a thread behind a socket ---- */

static void authorize_session(void)
{
	burn(fleet_ms);
}

static void *answer_requests(void *socket)
{
	char request;

	if (read(*(int *)socket, &request, 1) == 1) {
		authorize_session();
		fleet_sum += (unsigned long)write(*(int *)socket, &request, 1);
	}
	return NULL;
}

static void request_session(void)
{
	pthread_t server;
	char letter = 's';
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
		pthread_create(&server, NULL, answer_requests, &ends[1]);
		if (write(ends[0], &letter, 1) == 1) {
			fleet_sum += (unsigned long)read(ends[0], &letter, 1);
		}
		pthread_join(server, NULL);
		close(ends[0]);
		close(ends[1]);
	}
}

CALLS(renew_token, request_session)
CALLS(mount_share, renew_token)
CALLS(sign_document, request_session)
CALLS(join_meeting, request_session)
CALLS(enter_lobby, join_meeting)
CALLS(follow_invitation, enter_lobby)

/* ---- Reads a file in small pieces ---- */

static void load_dictionary(void)
{
	int file = open("/proc/self/exe", O_RDONLY);
	unsigned char piece[64];

	for (int i = 0; i < WORDS && read(file, piece, sizeof(piece)) > 0; i++) {
		for (size_t k = 0; k < 100 * sizeof(piece); k++) {
			fleet_sum += piece[k % sizeof(piece)];
		}
	}
	close(file);
}

static void load_dictionaries(void)
{
	repeat(load_dictionary);
}

CALLS(check_spelling, load_dictionaries)
CALLS(edit_letter, check_spelling)
CALLS(complete_word, load_dictionaries)

/* ---- Matches regular expressions ---- */

static void match_rule(const char *pattern)
{
	static const char text[] = "from=somebody@example.org to=everybody subject=hello";
	regex_t rule;

	if (regcomp(&rule, pattern, REG_EXTENDED) == 0) {
		for (int i = 0; i < LETTERS; i++) {
			fleet_sum += (unsigned long)regexec(&rule, text, 0, NULL, 0);
		}
		regfree(&rule);
	}
}

static void sort_folder(void)
{
	match_rule("^(from|to)=([a-z]+@?)*.*subject=(.*)$");
	match_rule("@example.(com|net|org) .*=hel+o");
}

static void match_rules(void)
{
	repeat(sort_folder);
}

CALLS(sort_mail, match_rules)
CALLS(fetch_mail, sort_mail)
CALLS(test_filter, match_rules)

/* ---- Waits for a lock on a file, which another process holds ---- */

static void rewrite_index(int lock, int told)
{
	flock(lock, LOCK_EX);
	fleet_sum += (unsigned long)write(told, "h", 1);
	burn(fleet_ms);
	flock(lock, LOCK_UN);
}

static void lock_index(const char *name, int told, const int *ends)
{
	int lock = open(name, O_RDWR);
	char held;
	pid_t child = fork();

	if (child == 0) {
		/* Locks belong to what was opened: to open it again makes another owner. */
		rewrite_index(open(name, O_RDWR), told);
		_exit(0);
	}
	if (read(ends[0], &held, 1) == 1) {
		flock(lock, LOCK_EX);
	}
	close(lock);
	waitpid(child, NULL, 0);
}

static void search_mailbox(void)
{
	char name[] = "fleet-index-XXXXXX";
	int file = mkstemp(name);
	int ends[2];

	if (file >= 0 && pipe(ends) == 0) {
		lock_index(name, ends[1], ends);
		close(ends[0]);
		close(ends[1]);
	}
	unlink(name);
	close(file);
}

CALLS(show_unread, search_mailbox)

/* ---- Walks directories ---- */

static void visit_fonts(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		char name[512];
		struct stat status;

		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] == '.' || lstat(name, &status) != 0) {
			continue;
		}
		fleet_sum += (unsigned long)status.st_size;
		if (S_ISDIR(status.st_mode)) {
			visit_fonts(name);
		}
	}
	if (directory) {
		closedir(directory);
	}
}

static void index_font(void)
{
	visit_fonts("/usr/share/perl");
	visit_fonts("/etc");
}

static void index_fonts(void)
{
	repeat(index_font);
}

CALLS(choose_font, index_fonts)
CALLS(format_page, choose_font)

/* ---- Reads what a slow child writes ---- */

static void translate_names(int output)
{
	for (int i = 0; i < PIECES; i++) {
		pause_ms(fleet_ms / PIECES);
		fleet_sum += (unsigned long)write(output, "n", 1);
	}
}

static void query_helper(void)
{
	char letter;
	pid_t child;
	int ends[2];

	if (pipe(ends) != 0) {
		return;
	}
	child = fork();
	if (child == 0) {
		translate_names(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	while (read(ends[0], &letter, 1) == 1) {
		fleet_sum++;
	}
	close(ends[0]);
	waitpid(child, NULL, 0);
}

CALLS(list_owners, query_helper)
CALLS(show_details, list_owners)

/* ---- Protects pages and makes them writable again ---- */

static char *vault;

static void seal_pages(void)
{
	for (size_t i = 0; i < PAGES; i += 2) {
		mprotect(vault + i * 4096, 4096, PROT_READ);
	}
	mprotect(vault, PAGES * 4096, PROT_READ | PROT_WRITE);
	memset(vault, 1, PAGES * 4096);
}

static void seal_vault(void)
{
	vault = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	if (vault != MAP_FAILED) {
		repeat(seal_pages);
		munmap(vault, PAGES * 4096);
	}
}

CALLS(lock_wallet, seal_vault)

const struct fleet_cause fleet_causes[] = {
	{ "await_previews", { open_album, publish_album, pick_cover }, false },
	{ "poll_gateway", { finish_installation, end_shift }, true },
	{ "sort_transactions", { settle_day, show_ledger }, false },
	{ "request_session", { mount_share, sign_document, follow_invitation }, false },
	{ "load_dictionary", { edit_letter, complete_word }, false },
	{ "match_rules", { fetch_mail, test_filter }, false },
	{ "search_mailbox", { show_unread }, false },
	{ "index_fonts", { format_page }, false },
	{ "query_helper", { show_details }, true },
	{ "seal_pages", { lock_wallet }, true },
	{ 0 },
};
