/* SPDX-License-Identifier: MIT */
/*
 * A perf.data file made up record by record, for tests.
 *
 * Nothing is checked: a test may write what no kernel would. Records of the kernel get a trailer
 * with their thread and time. A recording starts with the attributes that recording_new()
 * describes; ids are the attribute's index plus 100.
 */
#ifndef ITP_TESTS_PERF_RECORDING_H
#define ITP_TESTS_PERF_RECORDING_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdint.h>

#define RECORDING_ID(attr) (UINT64_C(100) + (attr))

#define RECORDING_COMPRESSED 81
#define RECORDING_COMPRESSED2 83

/* Of the formats that recording_add_formats() writes. */
#define RECORDING_SYS_ENTER 11
#define RECORDING_SYS_EXIT 12
#define RECORDING_SWITCH 13
#define RECORDING_WAKEUP 14

#define RECORDING_SAMPLE_TYPE                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW)

struct recording {
	/* struct perf_event_attr. */
	GArray *attrs;
	/* The data section. */
	GByteArray *data;
	/* Feature sections by bit, NULL where not set. */
	GByteArray *features[256];
	/* Name of the file that was written last, or NULL. */
	char *path;
};

/* One thread at one time. */
struct recording_stamp {
	gint32 pid;
	gint32 tid;
	guint64 time;
};

struct recording *recording_new(void);
/* Removes the file too. */
void recording_free(struct recording *recording);
typedef struct recording recording_auto;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(recording_auto, recording_free)

/* Returns the attribute's index. */
guint recording_add_attr(struct recording *recording, guint32 type, guint64 config,
			 guint64 sample_type);
/* Formats of the tracepoints above, as the kernel writes them. */
void recording_add_formats(struct recording *recording);
/* Four attributes for the tracepoints above, in their order, then one timer; and the formats. */
void recording_add_usual(struct recording *recording);
void recording_add_string(struct recording *recording, guint bit, const char *text);
/* Takes the flag from all attributes that new threads have events of their own, with which perf
 * records processes: the recorder sees threads up to their last switch. */
void recording_disinherit(struct recording *recording);
/* Sets the flag of all attributes that user parts of stacks come later. */
void recording_defer(struct recording *recording);

/* A whole record with this body, which gets no trailer. */
void recording_raw(struct recording *recording, guint32 type, guint16 misc, const void *body,
		   gsize size);
void recording_comm(struct recording *recording, const struct recording_stamp *stamp,
		    const char *comm, gboolean is_exec);
void recording_fork(struct recording *recording, const struct recording_stamp *parent, gint32 pid,
		    gint32 tid);
void recording_exit(struct recording *recording, const struct recording_stamp *stamp);
/* Executable, from the file's offset 0x1000. */
void recording_mmap(struct recording *recording, const struct recording_stamp *stamp, guint64 start,
		    guint64 length, const char *path);
/* The kernel, "[kernel.kallsyms]_text", or the file of one of its modules; was there before. */
void recording_kernel_mmap(struct recording *recording, guint64 start, guint64 length,
			   const char *path);
/* Code that came into the kernel, or with the flag of that has gone; `type` is one of enum
 * perf_record_ksymbol_type. */
void recording_kernel_symbol(struct recording *recording, guint64 time, guint64 start,
			     guint32 length, guint16 type, guint16 flags, const char *name);
void recording_lost(struct recording *recording, const struct recording_stamp *stamp,
		    guint64 count);
void recording_switch(struct recording *recording, const struct recording_stamp *stamp,
		      guint16 misc);
void recording_round(struct recording *recording);
/* The user part of a stack, which ends with 0, as it comes later than its samples. */
void recording_deferred(struct recording *recording, const struct recording_stamp *stamp,
			guint64 cookie, const guint64 *chain);

/* A sample whose chain ends with 0, which is not written; `raw` may be NULL. */
void recording_sample(struct recording *recording, guint attr, const struct recording_stamp *stamp,
		      const guint64 *chain, const void *raw, gsize raw_size);
/* Samples of the usual attributes. */
void recording_syscall(struct recording *recording, const struct recording_stamp *stamp,
		       gboolean is_exit, gint64 number, const guint64 *chain);
void recording_switch_sample(struct recording *recording, const struct recording_stamp *stamp,
			     gint64 state, gint32 next, const guint64 *chain);
void recording_wakeup(struct recording *recording, const struct recording_stamp *stamp,
		      gint32 woken, const char *comm, const guint64 *chain);
void recording_tick(struct recording *recording, const struct recording_stamp *stamp,
		    const guint64 *chain);

/* Replaces all records by compressed ones of `type`, which hold `piece` bytes of them each, as one
 * zstd stream. */
void recording_compress(struct recording *recording, guint32 type, gsize piece);

/* Replaces all records by a compressed one of the largest size; what has no room in it is gone.
 * There must be more than that. */
void recording_compress_begin(struct recording *recording);

/* The file. Owned by the caller. */
GByteArray *recording_image(const struct recording *recording);
/* The same in the layout of pipes: all that is not a record comes as one. */
GByteArray *recording_pipe_image(const struct recording *recording);
/* Writes it; the name is good until the recording is freed or written again. */
const char *recording_write(struct recording *recording);

/* Writes `size` bytes to a new temporary file; owned by the caller, who removes the file. */
char *recording_write_bytes(const void *bytes, gsize size);

#endif
