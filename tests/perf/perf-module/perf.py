# SPDX-License-Identifier: MIT
"""A stand-in for perf's Python module: as much of its documented interface as introperf.py uses.

What it reads is not perf.data, but what save-samples.py wrote of a recording.
"""
import pickle


class Members:
    """An object with the given attributes."""

    def __init__(self, **members):
        self.__dict__.update(members)


class evsel(Members):
    """type, config, sample_type; its text is evsel(NAME)."""

    def __str__(self):
        return "evsel(%s)" % self.name


class callchain:
    """A sequence of frames, each with ip, symbol and dso."""

    def __init__(self, frames):
        self.frames = frames

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return Members(**self.frames[i])


class thread:
    def __init__(self, name):
        self.name = name

    def comm(self):
        return self.name


class data:
    def __init__(self, path="perf.data"):
        self.path = path


class session:
    """Calls `sample` for each sample, with an object of the class sample_event."""

    def __init__(self, data, sample=None, stat=None):
        with open(data.path, "rb") as file:
            self.samples = pickle.load(file)
        self.sample = sample
        self.comms = {}

    def process_events(self):
        for saved in self.samples:
            self.comms[saved["sample_tid"]] = saved.pop("comm")
            event = Members(**saved)
            event.evsel = evsel(**saved["evsel"])
            event.callchain = callchain(saved["callchain"])
            self.sample(event)

    def find_thread(self, tid):
        if tid not in self.comms:
            raise TypeError("Failed to find thread %d" % tid)
        return thread(self.comms[tid])
