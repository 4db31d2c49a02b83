/* SPDX-License-Identifier: MIT */
/*
 * Speed of the machine while perf records: the time of a fixed computation without interruption,
 * in a thread of its own, which sleeps between. Programs in the kernel measure by themselves.
 *
 * A measurement takes 2 µs, three times in a row, forty times a second, on the CPUs in turns: 0.03
 * % of one. A fixed walk through memory was tried as well, and explained no difference between
 * programs that wait for memory (doc/verdicts.md).
 */
#ifndef ITP_PERF_RECORD_SPEED_METER_H
#define ITP_PERF_RECORD_SPEED_METER_H

struct itp_speed_meter;

/* Begins the measurement; NULL where there can be no thread. */
struct itp_speed_meter *itp_speed_meter_begin(void);

/* Ends the measurement, and adds it to the recording `path`; to none when `path` is NULL, or no
 * recording in a single file: then nobody knows the speed of the machine. Nothing happens to
 * NULL. */
void itp_speed_meter_end(struct itp_speed_meter *meter, const char *path);

#endif
