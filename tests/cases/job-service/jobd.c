/* SPDX-License-Identifier: MIT */
/*
 * jobd ADDRESS JOURNAL SPARE: keeps jobs for those who do them, over ZeroMQ. It is asked
 *
 *     put NUMBER TEXT    there is a job
 *     done NUMBER        it was done
 *     quit
 *
 * and answers each with the number of jobs that are left. Each change is appended to the journal,
 * from which the jobs are read at the start. When the journal has more than SPARE changes since it
 * was written, it is written anew, with those jobs only that are left.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#define BUCKETS 4096

struct job {
	struct job *next;
	unsigned long number;
	char text[];
};

static struct job *jobs[BUCKETS];
static unsigned long left, changes;
static FILE *journal;

static struct job **find(unsigned long number)
{
	struct job **place = &jobs[number % BUCKETS];

	while (*place && (*place)->number != number)
		place = &(*place)->next;
	return place;
}

static void put(unsigned long number, const char *text)
{
	struct job **place = find(number);
	struct job *job;

	if (*place)
		return;
	job = malloc(sizeof(*job) + strlen(text) + 1);
	if (!job)
		abort();
	job->next = NULL;
	job->number = number;
	strcpy(job->text, text);
	*place = job;
	left++;
}

static void drop(unsigned long number)
{
	struct job **place = find(number);
	struct job *job = *place;

	if (!job)
		return;
	*place = job->next;
	free(job);
	left--;
}

static int apply(char *line)
{
	unsigned long number;
	int text = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "put %lu %n", &number, &text) == 1 && text > 0)
		put(number, line + text);
	else if (sscanf(line, "done %lu", &number) == 1)
		drop(number);
	else
		return 0;
	return 1;
}

static void read_journal(const char *name)
{
	FILE *file = fopen(name, "r");
	char line[512];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		apply(line);
	fclose(file);
}

static int compare(const void *a, const void *b)
{
	unsigned long x = (*(const struct job *const *)a)->number;
	unsigned long y = (*(const struct job *const *)b)->number;

	return x < y ? -1 : x > y;
}

/* In the order of their numbers, for those who read it. */
static void compact_journal(const char *name)
{
	static char buffer[1 << 18];
	const struct job **sorted = malloc((left + 1) * sizeof(*sorted));
	char new_name[256];
	size_t count = 0;
	FILE *file;

	snprintf(new_name, sizeof(new_name), "%s.new", name);
	file = fopen(new_name, "w");
	if (!file || !sorted) {
		perror(new_name);
		exit(1);
	}
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct job *job = jobs[i]; job; job = job->next)
			sorted[count++] = job;
	qsort(sorted, count, sizeof(*sorted), compare);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "put %lu %s\n", sorted[i]->number, sorted[i]->text);
	free(sorted);
	if (journal)
		fclose(journal);
	if (fclose(file) != 0 || rename(new_name, name) != 0 || !(journal = fopen(name, "a"))) {
		perror(name);
		exit(1);
	}
	changes = 0;
}

static void note(const char *request)
{
	fprintf(journal, "%s\n", request);
	fflush(journal);
	changes++;
}

int main(int argc, char **argv)
{
	void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_REP);
	unsigned long spare;
	char request[512];
	int size;

	if (argc != 4)
		return 2;
	spare = strtoul(argv[3], NULL, 10);
	read_journal(argv[2]);
	compact_journal(argv[2]);
	if (zmq_bind(socket, argv[1]) != 0) {
		fprintf(stderr, "%s: %s\n", argv[1], zmq_strerror(zmq_errno()));
		return 1;
	}
	while ((size = zmq_recv(socket, request, sizeof(request) - 1, 0)) >= 0 || errno == EINTR) {
		char reply[32];

		if (size < 0)
			continue;
		request[size < (int)sizeof(request) ? size : (int)sizeof(request) - 1] = '\0';
		if (strcmp(request, "quit") == 0)
			break;
		if (apply(request)) {
			note(request);
			if (changes > spare)
				compact_journal(argv[2]);
		}
		snprintf(reply, sizeof(reply), "%lu left", left);
		zmq_send(socket, reply, strlen(reply), 0);
	}
	zmq_close(socket);
	zmq_ctx_term(context);
	return 0;
}
