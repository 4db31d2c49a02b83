/* SPDX-License-Identifier: MIT */
/*
 * See words.h. A meaning tells a reader who has never seen a result: the thing counted, its
 * consequences, and false conclusions. Meanings of words in the code are introperf(7)'s.
 */
#include "common/render/words.h"

#include "common/base/labels.h"

#define GAP 2
#define WORD_COLUMNS 18

const struct itp_word itp_words[] = {
	{ "base, suspect", "\\b(base|suspect)\\b",
	  "The recording that behaves, and the one that is asked about." },
	{ "stacks", "\\bstacks?\\b",
	  "What a thread was in the middle of, at one instant: at a system call, at a switch of the "
	  "CPU, at a tick. All times are inferred from these." },
	{ "broken", "\\bbroken\\b",
	  "A stack that does not reach down to where its thread began. Functions that it lacks are "
	  "taken to go on; few of them do no harm." },
	{ "incomplete", "\\b[Ii]ncomplete\\b",
	  "Something of the recording is missing, and in none of the numbers." },
	{ "own", "\\b[Oo]wn\\b",
	  "Time in a function itself, whether it ran or waited, without the functions that it calls. "
	  "That of all functions adds up to the time of all threads, which is more than the "
	  "recording lasted where several live at once. perf calls it Self." },
	{ "total", "\\b[Tt]otal\\b", "Time in a function with all that it calls." },
	{ "path", "\\bpaths?\\b",
	  "Functions from where a thread begins to where it is, each called by the one before. A row "
	  "stands for all paths of its culprit." },
	{ "sure", "\\bsure\\b",
	  "No chance, by all that is known of ticks, waits and runs. Beside much other work, what walks "
	  "through memory or waits for other processes may still differ so: record several." },
	{ "likely", "\\blikely\\b",
	  "Worth a look, and another run: one of twenty such differences is chance." },
	{ "chance, ~", "\\b[Cc]hance\\b|~",
	  "Two runs of the same program may well differ by it: do not act on it." },
	{ "spread", "\\bspread\\b|\\bruns differ\\b",
	  "By how much runs of the same work are taken to differ; several recordings of each tell it "
	  "better." },
	{ "\u0394", "\u0394", "By how much the suspect has more than the base." },
	{ "cost", "\\bcosts?\\b",
	  "Time in the culprit and in what it calls, up to the next culprit. Those of all rows add up "
	  "to the own time of all threads." },
	{ "share", "\\bshare\\b", "The part of the own time of all threads that this row is." },
	{ "calls", "\\b[Cc]alls\\b",
	  "How often the culprit was called; against a base, how many times as often (\u00d72.0)." },
	{ "each", "\\b[Ee]ach\\b",
	  "How long one call takes, on average; against a base, how many times as long." },
	{ "new, gone", "\\b(new|gone)\\b", "Only the suspect has it; only the base has it." },
	{ "n/a, \u2265, \u2264", "\\bn/a\\b|[\u2265\u2264]",
	  "Not known, at least, at most. Between two stacks, a function may end and be called again "
	  "without being seen." },
	{ "why", "\\bwhy\\b", "What most of the cost is." },
	{ "blocked", "\\b[Bb]locked\\b",
	  "It waited until something woke it: a lock, a disk, an answer, a time. A faster CPU is no "
	  "help." },
	{ "CPU wait", "\\bCPU (wait|taken)\\b|\\bwaiting for a CPU\\b",
	  "It could have run and had no CPU, as others ran there. What is slow is the machine, rarely "
	  "this function." },
	{ "CPU quota", "\\bCPU quotas?\\b",
	  "Its control group had used up its share of the CPU time, so it had to wait for the next "
	  "period, also beside an idle CPU: what is slow is the limit." },
	{ "CPU", "\\bCPU\\b", "It ran." },
	{ "more calls", "\\b(more|fewer) calls\\b(?! may)",
	  "One call takes as long as before; there are more of them, or fewer. Look at who calls." },
	{ "culprit, \u25c0", "\\bculprit\\b|\u25c0",
	  "The function to open first: the deepest one of the program's own code, not of the kernel, "
	  "the C library or a runtime, under which at least half of the path's difference lies." },
	{ "\u203a \u2026", "\u203a \u2026",
	  "Functions on the way that are left out, so that the line stays short." },
	{ "syscall:", "\\bsyscall:", "A system call, from its begin to its end." },
	{ "woken by", "\\bwoken by\\b", "Who ended the waiting, most of the time." },
	{ "until then ran", "\\buntil then ran\\b|\\bwhich ran\\b",
	  "What that thread did while this one waited: what there was to wait for." },
	{ "kept by", "\\bkept by\\b", "For which function that thread did it." },
	{ "waits for path", "\\bwaits for (path|it)\\b",
	  "It is slow because that path is: it goes where that one goes." },
	{ "ranked by", "\\branked by\\b", "The rows lie in the order of this number." },
	{ "new from", "\\bnew from\\b", "The base did not go on this way from there." },
	{ "moved here", "\\bmoved here\\b",
	  "The base does about the same at another place: nothing is gained or lost." },
	{ "vanished", "\\bvanished\\b", "The base went there, the suspect does not." },
	{ "begins in", "\\bbegins in\\b", "The last function that is called as often as before." },
	{ "ways, paths", "\\breached in\\b|\\bcostliest of\\b",
	  "The culprit is called from several places (ways), and goes on to several (paths). The row "
	  "is about all of them; the line of functions shows the path that costs most." },
	{ "may be off", "\\bmay be off\\b|\\btoo small to tell\\b",
	  "One standard error of \u0394, and the largest reason for it." },
	{ "tick", "\\bticks?\\b",
	  "A timer looks where a thread runs, so many times a second. CPU time of functions rests on "
	  "these: the more, the better it is known." },
	{ "idle", "\\b[Ii]dle\\b",
	  "Waiting that nobody loses time by, as of a server between requests: no unit of work was "
	  "open in the thread, and none waited for it. It is no fault and is in no row." },
	{ "bounds", "\\b[Bb]ounds\\b|\\breally between\\b",
	  "The least and the most that a latency can be, by when the function was seen and not seen." },
	{ "recorder", "\\brecorder\\b",
	  "What recording itself cost the program on the CPU. It is taken out of all numbers." },
	{ "MODULE+0x\u2026", "\\+0x[0-9a-f\u2026]",
	  "A function without a name: its module, and where in that it begins." },
	{ "[unknown callers]", "\\[unknown callers\\]",
	  "What was done by stacks of a thread that never reached down to its begin." },
	{ "[made code]", "\\[made code\\]",
	  "Code that a program has made for itself, as a compiler at run time, and that has no names." },
	{ "[lost]", "\\[lost\\]", "What a thread did while the recording lost events." },
	{ "unit", "\\bunits? of\\b",
	  "One piece of work of a loop, such as a request: from what it waited for to the next wait." },
	{ "hop", "\\bhops?\\b",
	  "What one thread does for a request, from the bytes that it takes to its answer, with what "
	  "it waits for others that it asks." },
	{ "held up", "\\b[Hh]eld up\\b|\\bholds? up\\b",
	  "A thread waits for another one, which waits for a third, and so on: the time is told of "
	  "what the last one did." },
	{ "knot", "\\bknots?\\b", "Threads that wait for one another in circles." },
	{ .word = NULL },
};

static void append_word(GString *output, const struct itp_word *word, unsigned int width)
{
	unsigned int columns = itp_label_columns(word->word);

	g_string_append(output, word->word);
	itp_label_pad(output, columns < WORD_COLUMNS ? WORD_COLUMNS - columns : GAP);
	itp_label_wrap(output, word->meaning, MAX(columns + GAP, WORD_COLUMNS), WORD_COLUMNS,
		       width);
}

void itp_words_append(GString *output, const char *text, unsigned int width)
{
	for (const struct itp_word *word = itp_words; word->word; word++) {
		if (g_regex_match_simple(word->pattern, text, 0, 0)) {
			append_word(output, word, width);
		}
	}
}
