/* SPDX-License-Identifier: MIT */
/*
 * Where the kernel's code lies, by a kallsyms file of a few lines, and which frames of a stack are
 * those of tracing.
 */
#include "plugins/perf/record/kernel-text.h"

#include <glib/gstdio.h>

static const char lines[] = "ffffffff81000000 T _text\n"
			    "ffffffff81000100 T asm_exc_page_fault\n"
			    "ffffffff81000200 T asm_common_interrupt\n"
			    "ffffffff81000240 T asm_sysvec_apic_timer_interrupt\n"
			    "ffffffff81000240 T alias_of_the_timer\n"
			    "ffffffff81000280 T asm_load_gs_index\n"
			    "ffffffff81001000 T schedule\n"
			    "ffffffff81002000 T bpf_trace_run4\n"
			    "ffffffff81002000 t alias_of_the_same\n"
			    "ffffffff81002100 T other\n"
			    "ffffffff81003000 t __traceiter_sched_switch\n"
			    "ffffffff81003040 t __traceiter_other\n"
			    "ffffffff81004000 T _etext\n"
			    "ffffffffc0000000 t in_module\t[module]\n";

static struct itp_recorder_kernel_text read_lines(const char *text)
{
	struct itp_recorder_kernel_text result;
	g_autofree char *path = NULL;
	const int file = g_file_open_tmp("introperf-test-XXXXXX", &path, NULL);

	g_assert_cmpint(file, >=, 0);
	g_close(file, NULL);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	itp_recorder_kernel_text_init(&result, path);
	g_unlink(path);
	return result;
}

static void test_bounds(void)
{
	struct itp_recorder_kernel_text text = read_lines(lines);

	g_assert_cmphex(text.begin, ==, 0xffffffff81000000);
	g_assert_cmphex(text.end, ==, 0xffffffff81004000);
	g_assert_cmphex(text.interrupts.begin, ==, 0xffffffff81000200);
	g_assert_cmphex(text.interrupts.end, ==, 0xffffffff81000280);
	itp_recorder_kernel_text_release(&text);
}

static void test_hidden(void)
{
	struct itp_recorder_kernel_text text = read_lines("0000000000000000 T _text\n"
							  "0000000000000000 T bpf_trace_run4\n"
							  "0000000000000000 T _etext\n\nx\n");
	const uint64_t frames[] = { 0xffffffff81002010 };

	g_assert_cmphex(text.begin, ==, 0);
	g_assert_cmpuint(itp_recorder_kernel_text_skip(&text, frames, 1), ==, 0);
	itp_recorder_kernel_text_release(&text);
	itp_recorder_kernel_text_init(&text, "/nonexistent");
	g_assert_cmphex(text.end, ==, 0);
	itp_recorder_kernel_text_release(&text);
}

static void test_skip(void)
{
	struct itp_recorder_kernel_text text = read_lines(lines);
	/* A program of BPF, then how it was called, then what had the tracepoint. */
	const uint64_t frames[] = { 0xffffffffc0027d2e, 0xffffffff81002050, 0xffffffff81003010,
				    0xffffffff81001020 };
	/* Return addresses: behind the last call of a function another one begins. */
	const uint64_t borders[] = { 0xffffffff81002100, 0xffffffff81001020 };
	const uint64_t none[] = { 0xffffffff81001020, 0xffffffff81003050 };

	g_assert_cmpuint(itp_recorder_kernel_text_skip(&text, frames, 4), ==, 3);
	g_assert_cmpuint(itp_recorder_kernel_text_skip(&text, frames, 2), ==, 2);
	g_assert_cmpuint(itp_recorder_kernel_text_skip(&text, borders, 2), ==, 1);
	g_assert_cmpuint(itp_recorder_kernel_text_skip(&text, none, 2), ==, 0);
	g_assert_cmpuint(itp_recorder_kernel_text_skip(&text, none, 0), ==, 0);
	itp_recorder_kernel_text_release(&text);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/kernel text/it begins and ends where its symbols say", test_bounds);
	g_test_add_func("/kernel text/one that is not shown has no frames of tracing", test_hidden);
	g_test_add_func("/kernel text/frames of tracing are before the tracepoint's", test_skip);
	return g_test_run();
}
