/* SPDX-License-Identifier: MIT */
/* See packet.h. */
#include "messages/packet.h"

bool itp_packet_is_needed(void)
{
	return bt_version_get_minor() >= 1;
}

void itp_packet_prepare(struct itp_packet *packet, bt_stream_class *stream_class)
{
	packet->is_wanted = true;
	bt_stream_class_set_supports_packets(stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
}

bool itp_packet_is_due(const struct itp_packet *packet)
{
	return packet->is_wanted && !packet->packet;
}

bt_message *itp_packet_begin(struct itp_packet *packet, const bt_stream *stream,
			     bt_self_message_iterator *self, uint64_t cycles)
{
	packet->packet = bt_packet_create(stream);
	packet->cycles = cycles;
	return packet->packet ? bt_message_packet_beginning_create_with_default_clock_snapshot(
					self, packet->packet, cycles) :
				NULL;
}

bt_message *itp_packet_event(struct itp_packet *packet, const bt_stream *stream,
			     const bt_event_class *event_class, bt_self_message_iterator *self,
			     uint64_t cycles)
{
	if (!packet->packet) {
		return bt_message_event_create_with_default_clock_snapshot(self, event_class,
									   stream, cycles);
	}
	packet->cycles = cycles;
	return bt_message_event_create_with_packet_and_default_clock_snapshot(
		self, event_class, packet->packet, cycles);
}

bt_message *itp_packet_end(struct itp_packet *packet, bt_self_message_iterator *self)
{
	bt_message *message = bt_message_packet_end_create_with_default_clock_snapshot(
		self, packet->packet, packet->cycles);

	itp_packet_release(packet);
	return message;
}

void itp_packet_release(struct itp_packet *packet)
{
	BT_PACKET_PUT_REF_AND_RESET(packet->packet);
}
