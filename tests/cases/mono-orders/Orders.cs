// SPDX-License-Identifier: MIT
// Puts orders into a waiting list by their days.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

class Order {
	public int Day;
	public int Number;
}

static class Orders {
	const int Count = 120000;

	static int Compare(Order a, Order b) {
		return a.Day != b.Day ? a.Day - b.Day : a.Number - b.Number;
	}

	static int PlaceOf(List<Order> queue, Order order) {
		int first = 0, last = queue.Count;
		while (first < last) {
			int middle = (first + last) / 2;
			if (Compare(queue[middle], order) < 0)
				first = middle + 1;
			else
				last = middle;
		}
		return first;
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static void Queue(List<Order> queue, Order order, bool inserted) {
		if (inserted)
			queue.Insert(PlaceOf(queue, order), order);
		else
			queue.Add(order);
	}

	[MethodImpl(MethodImplOptions.NoInlining)]
	static long Plan(List<Order> queue) {
		long sum = 0;
		for (int round = 0; round < 2200; round++)
			foreach (Order order in queue)
				sum = (sum * 31 + order.Day + round) % 1000003;
		return sum;
	}

	static void Main(string[] arguments) {
		bool inserted = arguments[0] == "inserted";
		var queue = new List<Order>();

		for (int i = 0; i < Count; i++)
			Queue(queue, new Order { Day = (Count - i) * 7 % 9973 + (Count - i) / 40, Number = Count - 1 - i }, inserted);
		if (!inserted)
			queue.Sort(Compare);
		Console.WriteLine("first {0}, {1} orders, {2}", queue[0].Number - queue[0].Number, queue.Count, Plan(queue));
	}
}
