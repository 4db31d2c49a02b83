/* SPDX-License-Identifier: MIT */
/*
 * What a slow filter in a web server looks like, in small: a function behind several callers
 * sleeps through the C library. Built without frame pointers, so that only unwinding shows it.
 */
#include <stdio.h>
#include <time.h>

/* On a busy machine some sleeps are over before their thread has left its CPU. */
#define REQUESTS 200

struct page {
	char text[256];
	unsigned int sum;
};

/* Each does something after its call, so that no call becomes a jump. */
static void __attribute__((noinline)) gzip_filter(struct page *page)
{
	const struct timespec pause = { .tv_nsec = 500000 };

	nanosleep(&pause, NULL);
	for (size_t i = 0; i < sizeof(page->text); i++) {
		page->sum += (unsigned char)page->text[i];
	}
}

static void __attribute__((noinline)) header_filter(struct page *page)
{
	page->text[0] ^= 1;
	gzip_filter(page);
	page->sum++;
}

static void __attribute__((noinline)) send_page(struct page *page, int request)
{
	snprintf(page->text, sizeof(page->text), "request %d", request);
	header_filter(page);
	page->sum++;
}

int main(void)
{
	struct page page = { .sum = 0 };

	for (int request = 0; request < REQUESTS; request++) {
		send_page(&page, request);
	}
	return page.sum == 0;
}
