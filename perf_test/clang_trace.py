# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Times of a trace that clang wrote with -ftime-trace: by stage, header, template and function."""
import re

from cxx_names import without_arguments

INSTANTIATIONS = ("InstantiateFunction", "InstantiateClass")


class Span:
    """An event of a trace, in microseconds."""

    def __init__(self, name, detail, begin, end):
        self.name, self.detail, self.begin, self.end = name, detail, begin, end
        self.parent = None

    @property
    def length(self):
        return self.end - self.begin

    def ancestors(self):
        span = self.parent
        while span:
            yield span
            span = span.parent


def spans_of(events, scale=1.0):
    """The spans of a trace, their times multiplied by `scale`."""
    spans, opened = [], {}
    for event in events:
        detail = event.get("args", {}).get("detail", "")
        key = (event.get("name"), event.get("id"))
        if event.get("ph") == "X" and not event["name"].startswith("Total "):
            begin = event["ts"] * scale
            spans.append(Span(event["name"], detail, begin, begin + event["dur"] * scale))
        elif event.get("ph") == "b":
            opened.setdefault(key, []).append((detail, event["ts"] * scale))
        elif event.get("ph") == "e" and opened.get(key):
            detail, begin = opened[key].pop()
            spans.append(Span(event["name"], detail, begin, event["ts"] * scale))
    return spans


def nested(spans):
    """These spans in order of their begin, each with the innermost one around it as its parent.

    To be called for one kind at a time: a declaration at the end of a header is read up to the first
    token of the next header, whose time lies in both.
    """
    spans = sorted(spans, key=lambda span: (span.begin, -span.end))
    stack = []
    for span in spans:
        while stack and stack[-1].end <= span.begin:
            stack.pop()
        span.parent = stack[-1] if stack else None
        stack.append(span)
    return spans


class Totals:
    """Sums over traces, in microseconds."""

    def __init__(self):
        self.sources = {}  # {source: {stage: time, "all": time}}
        self.headers = {}  # {path: [exclusive, inclusive, sources that read it]}
        self.templates = {}  # {name: [exclusive, inclusive, instantiations]}
        self.functions = {}  # {mangled name: [time, sources that compile it]}

    def add(self, source, events, scale=1.0):
        spans = spans_of(events, scale)
        headers = nested([span for span in spans if span.name == "Source"])
        self.add_stages(source, spans, headers)
        self.add_nested(headers, lambda header: header.detail, self.headers, once=True)
        templates = nested([span for span in spans if span.name in INSTANTIATIONS])
        self.add_nested(templates, lambda span: without_arguments(span.detail), self.templates)
        self.add_functions(spans)

    def add_stages(self, source, spans, headers):
        def time_of(*names):
            return sum(span.length for span in spans if span.name in names)

        fronts = sorted((s for s in spans if s.name == "Frontend"), key=lambda s: s.begin)
        stages = {
            "headers": sum(header.length for header in headers if not header.parent),
            "source": 0.0,
            "pending": time_of("PerformPendingInstantiations"),
            # The first is parsing and instantiation, a second one walks what was kept.
            "ir": sum(span.length for span in fronts[1:]),
            "optimizer": time_of("Optimizer"),
            "machine": time_of("CodeGenPasses"),
        }
        parsing = sum(span.length for span in fronts[:1])
        stages["source"] = max(0.0, parsing - stages["headers"] - stages["pending"])
        whole = time_of("ExecuteCompiler")
        self.sources[source] = {**stages, "rest": max(0.0, whole - sum(stages.values())), "all": whole}

    def add_nested(self, spans, label, table, once=False):
        """Exclusive and inclusive times by label, and of how many spans, or `once` for a source."""
        here = {}
        labels = {id(span): label(span) for span in spans}
        for span in spans:
            key = labels[id(span)]
            row = here.setdefault(key, [0.0, 0.0, 0])
            row[0] += span.length
            row[2] += 1
            if all(labels[id(outer)] != key for outer in span.ancestors()):
                row[1] += span.length
            if span.parent:
                here[labels[id(span.parent)]][0] -= span.length
        for key, row in here.items():
            sums = table.setdefault(key, [0.0, 0.0, 0])
            for at, value in enumerate((row[0], row[1], 1 if once else row[2])):
                sums[at] += value

    def add_functions(self, spans):
        """Time of the back end by the function that is worked on; of a group the first counts."""
        ends = [span for span in spans if span.name == "Backend"]
        inside = nested([span for span in spans
                         if any(end.begin <= span.begin and span.end <= end.end for end in ends)])
        function, here = {}, {}
        for span in inside:
            mangled = re.match(r"\(?(_Z\w+)", span.detail)
            outer = function.get(id(span.parent)) if span.detail != "[module]" else None
            worked_on = function[id(span)] = mangled[1] if mangled else outer
            for whose, time in ((worked_on, span.length), (function.get(id(span.parent)), -span.length)):
                if whose:
                    here[whose] = here.get(whose, 0.0) + time
        for whose, time in here.items():
            row = self.functions.setdefault(whose, [0.0, 0])
            row[0] += time
            row[1] += 1
