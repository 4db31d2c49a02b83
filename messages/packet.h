/* SPDX-License-Identifier: MIT */
/*
 * A packet around all events of a stream. Nothing here needs packets, but sink.ctf.fs writes a
 * packet anyway for a stream without, and then without times: Babeltrace 2.1 cannot read the
 * result. Hence streams in graphs of 2.1 have a packet. In graphs of 2.0 streams have none: the
 * sink crashes when an interrupt ends a graph amid a packet, also the sink of 2.1.
 */
#ifndef ITP_MESSAGES_PACKET_H
#define ITP_MESSAGES_PACKET_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

/* Zeroed before itp_packet_prepare(). */
struct itp_packet {
	/* Events are to lie in the packet. */
	bool is_wanted;
	/* NULL before its begin and behind its end. Owned by this. */
	bt_packet *packet;
	/* Time of its last event. */
	uint64_t cycles;
};

/* True when this version of Babeltrace needs packets. */
bool itp_packet_is_needed(void);

/* Gives streams of the class packets. Before the first stream. */
void itp_packet_prepare(struct itp_packet *packet, bt_stream_class *stream_class);

/* True when the packet is to begin before the next event. */
bool itp_packet_is_due(const struct itp_packet *packet);

/* Messages; NULL when memory runs out. `cycles` is the time of the first event, and of each. Events
 * of a stream without packets are made, too. */
bt_message *itp_packet_begin(struct itp_packet *packet, const bt_stream *stream,
			     bt_self_message_iterator *self, uint64_t cycles);
bt_message *itp_packet_event(struct itp_packet *packet, const bt_stream *stream,
			     const bt_event_class *event_class, bt_self_message_iterator *self,
			     uint64_t cycles);
bt_message *itp_packet_end(struct itp_packet *packet, bt_self_message_iterator *self);

void itp_packet_release(struct itp_packet *packet);

#endif
