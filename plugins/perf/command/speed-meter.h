/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast the machine is while something is recorded: by the time that a fixed
 * computation takes where nothing interrupts it, in a thread of its own, which sleeps between.
 *
 * It takes 17 µs, three times in a row, twenty times a second, on the CPUs in turns: 0.1 % of one.
 * A fixed walk through memory was tried as well, and explained nothing of what programs that wait
 * for memory differ by (doc/verdicts.md).
 */
#ifndef ITP_PERF_COMMAND_SPEED_METER_H
#define ITP_PERF_COMMAND_SPEED_METER_H

struct itp_speed_meter;

/* NULL where there can be no thread. */
struct itp_speed_meter *itp_speed_meter_begin(void);

/* Ends it, and adds what was measured to the recording `path`; to none when that is NULL, or no
 * recording in one file: then nobody knows how fast the machine was. Nothing happens to NULL. */
void itp_speed_meter_end(struct itp_speed_meter *meter, const char *path);

#endif
