/* SPDX-License-Identifier: MIT */
/*
 * Paths out of recordings: what is opened, and where they lead below a root. All again without the
 * kernel's help, which a filter of system calls takes away in the end.
 */
#include "common/base/input-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

struct fixture {
	/* Owned by this. */
	char *directory;
	char *root;
};

static char *in(const char *directory, const char *name)
{
	return g_build_filename(directory, name, NULL);
}

static void write_file(const char *directory, const char *name, const char *text)
{
	g_autofree char *path = in(directory, name);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void link_to(const char *target, const char *directory, const char *name)
{
	g_autofree char *path = in(directory, name);

	g_assert_cmpint(symlink(target, path), ==, 0);
}

/* A root with files and links, and a file beside it. */
static void set_up(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *lib = NULL;
	g_autofree char *outside = NULL;

	(void)data;
	fixture->directory = g_dir_make_tmp("introperf-XXXXXX", NULL);
	fixture->root = in(fixture->directory, "root");
	lib = in(fixture->root, "lib");
	outside = in(fixture->directory, "outside");
	g_assert_cmpint(g_mkdir_with_parents(lib, 0700), ==, 0);
	write_file(fixture->directory, "outside", "outside");
	write_file(lib, "file", "inside");
	link_to("file", lib, "link");
	link_to("/lib/file", lib, "absolute");
	link_to(outside, lib, "out");
	link_to("../../outside", lib, "up");
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	static const char *const names[] = { "root/lib/file", "root/lib/link", "root/lib/absolute",
					     "root/lib/out",  "root/lib/up",   "root/lib",
					     "root",          "outside",       "pipe" };

	(void)data;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = in(fixture->directory, names[i]);

		g_remove(path);
	}
	g_assert_cmpint(g_rmdir(fixture->directory), ==, 0);
	g_free(fixture->root);
	g_free(fixture->directory);
}

/* Takes `path`, which leads to the file in the root, or nowhere for NULL. */
static void assert_inside(char *path, bool is_inside)
{
	g_autofree char *text = NULL;

	g_assert_true(!is_inside || path);
	if (path) {
		g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
		g_assert_cmpstr(text, ==, "inside");
	}
	g_free(path);
}

static void assert_root(const struct fixture *fixture)
{
	g_autofree char *usual = g_strconcat(fixture->root, "/lib/link", NULL);
	g_autofree char *path = itp_input_file_path(fixture->root, "/lib/link");

	g_assert_cmpstr(path, ==, usual);
	assert_inside(itp_input_file_path(fixture->root, "/lib/../lib/file"), true);
	assert_inside(itp_input_file_path(fixture->root, "/lib/out"), false);
	assert_inside(itp_input_file_path(fixture->root, "/lib/up"), false);
	assert_inside(itp_input_file_path(fixture->root, "/../outside"), false);
	assert_inside(itp_input_file_path(fixture->root, "/lib/none"), false);
}

static void test_root(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	assert_root(fixture);
	assert_inside(itp_input_file_path(fixture->root, "/lib/absolute"), true);
	assert_inside(itp_input_file_path(fixture->root, "/../../lib/file"), true);
}

static void assert_refused(const char *directory, const char *name, int error)
{
	g_autofree char *path = in(directory, name);

	errno = 0;
	g_assert_cmpint(itp_input_file_open(path), ==, -1);
	g_assert_cmpint(errno, ==, error);
}

static void test_kinds(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *path = in(fixture->root, "lib/link");
	g_autofree char *pipe = in(fixture->directory, "pipe");
	char text[16] = "";
	int fd = itp_input_file_open(path);

	(void)data;
	g_assert_cmpint(read(fd, text, sizeof(text) - 1), ==, (gssize)strlen("inside"));
	g_assert_cmpstr(text, ==, "inside");
	close(fd);
	g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
	assert_refused(fixture->directory, "pipe", EINVAL);
	assert_refused(fixture->directory, "root", EISDIR);
	assert_refused(fixture->directory, "none", ENOENT);
	assert_refused("/dev", "null", EINVAL);
}

/* Who opens a pipe to write fails as long as nobody has it open to read. */
static void test_pipe(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *pipe = in(fixture->directory, "pipe");
	struct stat status;
	int found;

	(void)data;
	g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
	found = itp_input_file_find(NULL, pipe, 0, &status);
	g_assert_cmpint(found, >=, 0);
	g_assert_true(S_ISFIFO(status.st_mode));
	errno = 0;
	g_assert_cmpint(open(pipe, O_WRONLY | O_NONBLOCK), ==, -1);
	g_assert_cmpint(errno, ==, ENXIO);
	close(found);
}

/* Of this process, for good. */
static bool forbid_openat2(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	bool done = filter &&
		    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0) == 0 &&
		    seccomp_load(filter) == 0;

	seccomp_release(filter);
	return done;
}

static void test_old_kernel(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	if (!forbid_openat2()) {
		g_test_skip("system calls cannot be filtered here");
		return;
	}
	assert_root(fixture);
	/* Not followed out of the root, not followed inside either. */
	assert_inside(itp_input_file_path(fixture->root, "/lib/absolute"), false);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add("/input-file/only regular files are opened", struct fixture, NULL, set_up,
		   test_kinds, tear_down);
	g_test_add("/input-file/who writes to a pipe does not notice", struct fixture, NULL, set_up,
		   test_pipe, tear_down);
	g_test_add("/input-file/no path and no link leaves the root", struct fixture, NULL, set_up,
		   test_root, tear_down);
	g_test_add("/input-file/nor under kernels that do not know of roots", struct fixture, NULL,
		   set_up, test_old_kernel, tear_down);
	return g_test_run();
}
