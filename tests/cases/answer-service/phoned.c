/* SPDX-License-Identifier: MIT */
/* phoned PORT FILE exact|caseless: answers each line, which is a name, with that person's telephone
 * number, from a list that it reads when it begins. Ends with a signal. */
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>

#define NAME 100
#define NUMBER 30

struct person {
	char name[NAME];
	char number[NUMBER];
};

static struct person *people;
static size_t people_count;
static bool caseless;

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name);
}

static bool read_people(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[NAME + NUMBER];
	size_t room = 0;

	if (!file) {
		return false;
	}
	while (fgets(line, sizeof(line), file)) {
		char *number = strchr(line, ';');
		struct person *person;

		if (!number) {
			continue;
		}
		if (people_count == room) {
			room = room ? 2 * room : 64;
			people = realloc(people, room * sizeof(*people));
			if (!people) {
				abort();
			}
		}
		person = &people[people_count++];
		snprintf(person->name, NAME, "%.*s", (int)(number - line), line);
		snprintf(person->number, NUMBER, "%.*s", (int)strcspn(number + 1, "\n"),
			 number + 1);
	}
	fclose(file);
	qsort(people, people_count, sizeof(*people), by_name);
	return true;
}

static const struct person *__attribute__((noinline)) find_exact(const char *name)
{
	struct person key;

	snprintf(key.name, NAME, "%s", name);
	return bsearch(&key, people, people_count, sizeof(*people), by_name);
}

static const struct person *__attribute__((noinline)) find_caseless(const char *name)
{
	const struct person *found = NULL;
	size_t wanted_length, length;
	uint8_t *wanted =
		u8_casefold((const uint8_t *)name, strlen(name), NULL, NULL, NULL, &wanted_length);

	for (size_t i = 0; wanted && i < people_count && !found; i++) {
		const char *other = people[i].name;
		uint8_t *text = u8_casefold((const uint8_t *)other, strlen(other), NULL, NULL, NULL,
					    &length);

		if (text && length == wanted_length && memcmp(text, wanted, length) == 0) {
			found = &people[i];
		}
		free(text);
	}
	free(wanted);
	return found;
}

static void __attribute__((noinline)) answer(struct evbuffer *output, const char *name)
{
	const struct person *person = caseless ? find_caseless(name) : find_exact(name);

	evbuffer_add_printf(output, "%s\n", person ? person->number : "unknown");
}

static void on_read(struct bufferevent *connection, void *data)
{
	struct evbuffer *input = bufferevent_get_input(connection);
	char *line;

	(void)data;
	while ((line = evbuffer_readln(input, NULL, EVBUFFER_EOL_LF))) {
		answer(bufferevent_get_output(connection), line);
		free(line);
	}
}

static void on_event(struct bufferevent *connection, short events, void *data)
{
	(void)data;
	if (events & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) {
		bufferevent_free(connection);
	}
}

static void on_connection(struct evconnlistener *listener, evutil_socket_t fd,
			  struct sockaddr *address, int size, void *data)
{
	struct bufferevent *connection = bufferevent_socket_new(evconnlistener_get_base(listener),
								fd, BEV_OPT_CLOSE_ON_FREE);

	(void)address;
	(void)size;
	(void)data;
	if (!connection) {
		evutil_closesocket(fd);
		return;
	}
	bufferevent_setcb(connection, on_read, NULL, on_event, NULL);
	bufferevent_enable(connection, EV_READ | EV_WRITE);
}

static void on_signal(evutil_socket_t number, short events, void *loop)
{
	(void)number;
	(void)events;
	event_base_loopbreak(loop);
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	struct evconnlistener *listener;
	struct event_base *loop;
	struct event *ends;

	if (argc < 4 || !read_people(argv[2])) {
		return 2;
	}
	caseless = strcmp(argv[3], "caseless") == 0;
	address.sin_port = htons((uint16_t)atoi(argv[1]));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	loop = event_base_new();
	listener = evconnlistener_new_bind(loop, on_connection, NULL,
					   LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, -1,
					   (struct sockaddr *)&address, sizeof(address));
	ends = evsignal_new(loop, SIGTERM, on_signal, loop);
	if (!listener || !ends || evsignal_add(ends, NULL)) {
		return 1;
	}
	event_base_dispatch(loop);
	event_free(ends);
	evconnlistener_free(listener);
	event_base_free(loop);
	free(people);
	return 0;
}
