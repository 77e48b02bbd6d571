"""Notes on what left the prompt, written by a model while nobody waits for an answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from aish.core.context.eviction import Eviction, merged
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.values import dataclass

IsStopped = Callable[[], bool]  # whether what is under way should be given up


@dataclass(frozen=True, slots=True)
class NotesJob:
    """What is to be written, and for which model's view of the conversation."""

    route_key: str
    eviction: Eviction


@dataclass(frozen=True, slots=True)
class Written:
    job: NotesJob
    text: str


class Notetaker(Protocol):
    """Who writes the notes."""

    @property
    def wanted(self) -> bool:
        """Whether the user wants any now."""
        ...

    def write(self, prior: str, eviction: Eviction, stopped: IsStopped) -> str | None:
        """Notes better than the digest, or None.

        Raises: AishError.
        """
        ...


class BackgroundNotes:
    """Takes down what left the prompt, has it written between questions, puts the result in.

    A question never waits: what is being written is given up when one comes, and begun again after
    it. What was written goes into the next prompt that has room for it.
    """

    def __init__(self, notetaker: Notetaker) -> None:
        self._notetaker = notetaker
        self._waiting: NotesJob | None = None
        self._written: Written | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # around the three above; never held while writing

    def take(self, context: Context, eviction: Eviction) -> None:
        """Remember what left; it is written about once the question is answered."""
        if not eviction.dropped or not self._notetaker.wanted:
            return
        job = NotesJob(context.route.key, eviction)
        with self._lock:
            before = self._waiting
            if before is not None and before.route_key == job.route_key:
                job = replace(job, eviction=merged(before.eviction, eviction))
            self._waiting = job

    def begin(self) -> None:
        """Start writing, where there is something to write about; returns at once."""
        with self._lock:
            if self._waiting is None or (self._thread is not None and self._thread.is_alive()):
                return
            self._stop = threading.Event()
            self._thread = threading.Thread(
                target=self._run, args=(self._stop,), name="aish-notes", daemon=True
            )
            self._thread.start()

    def pause(self) -> None:
        """A question comes: give up what is being written; returns at once."""
        self._stop.set()

    def put(self, context: Context) -> None:
        """Put what was written below the digest, if it is about turns still left out."""
        with self._lock:
            written = self._written
            if written is None or written.job.route_key != context.route.key:
                return
            if not context.is_left_out(written.job.eviction.dropped[-1]):
                self._written = None  # undone, reset or resumed meanwhile
            elif context.set_summary(written.text):
                self._written = None

    def finished(self, seconds: float) -> bool:
        """Wait for what is being written; for whoever has nothing else to do."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _run(self, stop: threading.Event) -> None:
        with self._lock:
            job, self._waiting = self._waiting, None
        if job is None:
            return
        try:
            left = job.eviction
            text = self._notetaker.write(left.prior_summary, left, stop.is_set)
        except AishError:
            text = None  # the digest stays
        with self._lock:
            if stop.is_set() and text is None:
                self._back(job)
            elif text:
                self._written = Written(job, text)

    def _back(self, job: NotesJob) -> None:
        """It was given up for a question: begin anew after it, with what left since."""
        later = self._waiting
        if later is not None and later.route_key == job.route_key:
            job = replace(job, eviction=merged(job.eviction, later.eviction))
        self._waiting = job
