/* SPDX-License-Identifier: MIT */
/*
 * spoold SOCKET DIRECTORY: takes documents of text from clients, which end each by a line with a
 * dot. It makes PostScript of a document in a file of the directory, and answers with the number of
 * the job and that of its pages. With FROM_BEGINNING it does not remember how far it has searched
 * for the end of a document.
 */

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

static const char end_line[] = "\r\n.\r\n";

/* Of a page and its letters, in points, and how many lines it has. */
enum {
	MARGIN = 36,
	TEXT = 540,
	TOP = 780,
	WIDTH = 6,
	LINES = 60
};

struct client {
	struct bufferevent *events;
	size_t searched;
};

static const char *directory;
static unsigned jobs;

/* Where the document that has come so far ends, or -1. */
__attribute__((noinline)) static ev_ssize_t find_end(struct client *client)
{
	struct evbuffer *input = bufferevent_get_input(client->events);
	size_t length = evbuffer_get_length(input);
	struct evbuffer_ptr start, found;

	evbuffer_ptr_set(input, &start, client->searched, EVBUFFER_PTR_SET);
	found = evbuffer_search(input, end_line, strlen(end_line), &start);
#ifndef FROM_BEGINNING
	if (found.pos < 0 && length >= strlen(end_line))
		client->searched = length - strlen(end_line) + 1;
#else
	(void)length;
#endif
	return found.pos;
}

static void write_word(FILE *file, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (word[i] == '(' || word[i] == ')' || word[i] == '\\')
			putc_unlocked('\\', file);
		putc_unlocked(word[i], file);
	}
}

/* The words of a line from margin to margin, unless there are too few. */
static void write_line(FILE *file, const char *line, size_t length, unsigned y)
{
	double x = MARGIN, gap = WIDTH;
	size_t words = 0, letters = 0, word;

	for (size_t i = 0; i < length; i++) {
		letters += line[i] > ' ';
		words += line[i] > ' ' && (i == 0 || line[i - 1] <= ' ');
	}
	if (words > 1)
		gap = ((double)TEXT - WIDTH * (double)letters) / (double)(words - 1);
	if (gap < WIDTH || gap > 3 * WIDTH)
		gap = WIDTH;
	for (size_t i = 0; i < length; i += word) {
		while (i < length && line[i] <= ' ')
			i++;
		for (word = 0; i + word < length && line[i + word] > ' ';)
			word++;
		if (word == 0)
			break;
		fprintf(file, "%.2f %u moveto (", x, y);
		write_word(file, line + i, word);
		fputs(") show\n", file);
		x += WIDTH * (double)word + gap;
	}
}

/* Returns how many pages it has. */
__attribute__((noinline)) static unsigned write_postscript(FILE *file, const char *text,
							   size_t length)
{
	unsigned pages = 0, line = 0;

	fputs("%!PS\n/Courier findfont 10 scalefont setfont\n", file);
	for (size_t i = 0; i < length;) {
		const char *end = memchr(text + i, '\n', length - i);
		size_t next = end ? (size_t)(end - text) + 1 : length;

		write_line(file, text + i, next - i, TOP - 12 * line);
		line = memchr(text + i, '\f', next - i) ? LINES : line + 1;
		if (line >= LINES || next == length) {
			fputs("showpage\n", file);
			line = 0;
			pages++;
		}
		i = next;
	}
	return pages;
}

static void queue_document(struct client *client, size_t length)
{
	struct evbuffer *input = bufferevent_get_input(client->events);
	const char *text = (const char *)evbuffer_pullup(input, (ev_ssize_t)length);
	unsigned pages;
	static char buffer[1 << 16];
	char name[4096];
	FILE *file;

	snprintf(name, sizeof(name), "%s/%u.ps", directory, ++jobs);
	file = fopen(name, "w");
	if (!file || (length > 0 && !text))
		exit(1);
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	pages = write_postscript(file, text, length);
	fclose(file);
	evbuffer_add_printf(bufferevent_get_output(client->events), "queued %u %u\n", jobs, pages);
}

static void read_document(struct bufferevent *events, void *data)
{
	struct client *client = data;
	ev_ssize_t length;

	while ((length = find_end(client)) >= 0) {
		queue_document(client, (size_t)length);
		evbuffer_drain(bufferevent_get_input(events), (size_t)length + strlen(end_line));
		client->searched = 0;
	}
}

static void end_client(struct bufferevent *events, short what, void *data)
{
	(void)what;
	bufferevent_free(events);
	free(data);
}

static void add_client(struct evconnlistener *listener, evutil_socket_t file,
		       struct sockaddr *address, int length, void *data)
{
	struct client *client = calloc(1, sizeof(*client));

	(void)address, (void)length, (void)data;
	if (!client)
		exit(1);
	client->events = bufferevent_socket_new(evconnlistener_get_base(listener), file,
						BEV_OPT_CLOSE_ON_FREE);
	bufferevent_setcb(client->events, read_document, NULL, end_client, client);
	bufferevent_enable(client->events, EV_READ | EV_WRITE);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct event_base *base = event_base_new();
	struct evconnlistener *listener;

	if (argc != 3 || strlen(argv[1]) >= sizeof(address.sun_path) || !base)
		return 2;
	strcpy(address.sun_path, argv[1]);
	directory = argv[2];
	listener = evconnlistener_new_bind(base, add_client, NULL, LEV_OPT_CLOSE_ON_FREE, 16,
					   (struct sockaddr *)&address, sizeof(address));
	if (!listener)
		return 1;
	event_base_dispatch(base);
	evconnlistener_free(listener);
	event_base_free(base);
	return 0;
}
