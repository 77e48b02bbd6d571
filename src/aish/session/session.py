"""One conversation: every thing that can be done with it is a stream of events."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from aish.core.errors import AishError, UsageError

if TYPE_CHECKING:
    from aish.core.attachments import Enclosed
    from aish.core.autonomy import Run
    from aish.core.context.window import Context
    from aish.core.delegate import Delegation
    from aish.core.events import Attached, Event
    from aish.core.messages import ExecResult, Message, ModelSpec
    from aish.engine.ports import Approver, Tools
    from aish.journal.recording import Recorder
    from aish.session.excuse import Excuse
    from aish.session.ports import Memory, Models, Project, QuestionModel, Supplies, Workplace
    from aish.session.running import LastRun, Order, Teams

    Events = Generator[Event, None, None]
    Consumer = Callable[[Event], None]

_STOPPED = "[stopped by the user]"
_NOT_ASKED = "[not asked: the user stopped here]"
P = ParamSpec("P")


def _heard(
    stream: Callable[Concatenate[Session, P], Events],
) -> Callable[Concatenate[Session, P], Events]:
    """A stream of a session, of which every event goes by the consumers."""

    @wraps(stream)
    def heard(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> Events:
        return _told(stream(session, *args, **kwargs), session._consumers)

    return heard


class Session:
    """A conversation, its model, its shell and what is kept of it; it never prints.

    Its consumers hear of every event before whoever iterates does, the journal first: an approval
    is on the disk before the command runs. Of a private question they hear nothing. What only a
    question needs is made with the first.
    """

    def __init__(
        self,
        *,
        supplies: Supplies,
        models: Models,
        shell: Workplace,
        approver: Approver,
        journal: Recorder | None = None,
        memory: Memory | None = None,
        project: Project | None = None,
        teams: Teams | None = None,
        planner: Approver | None = None,
        consumers: Sequence[Consumer] = (),
    ) -> None:
        """`teams` makes the parts of an autonomous run; `planner` lists instead of running."""
        self._supplies = supplies
        self._models = models
        self._shell = shell
        self._approver = approver
        self._journal = journal
        self._memory = memory
        self._project = project
        self._last: ExecResult | None = None  # the newest command
        self._teams = teams
        self._planner = planner
        self.planning = False  # nothing runs, what is proposed is listed
        first: list[Consumer] = [journal] if journal else []
        self._consumers = [*first, self._note_run, *consumers]
        self._usual_prompt: str | None = None  # without what is added for one
        self._failed = ""  # the question that got no answer, if it was the last one
        self._carried: list[tuple[int, Attached]] = []  # with the place of its question in the log
        self._cwd = shell.cwd

    @cached_property
    def context(self) -> Context:
        return self._supplies.new_context()

    @cached_property
    def last_run(self) -> LastRun:
        """The newest autonomous run."""
        from aish.session.running import LastRun

        return LastRun()

    @cached_property
    def _excuse(self) -> Excuse:
        from aish.session.excuse import Excuse

        return Excuse()

    def _note_run(self, event: Event) -> None:
        self.last_run(event)

    def ask(self, text: str, *, private: bool = False) -> Events:
        """Put a question and act on its answer.

        A private one is taken out of the conversation again, nobody is told of it, and its
        commands are not offered: what they print would tell.

        Raises: StoreError, when an approved command could not be logged and so did not run.
        """
        return _told(self._asked(text, private=private), [] if private else self._consumers)

    def _asked(self, text: str, *, private: bool = False) -> Events:
        from aish.core.events import Noticed, Stopped
        from aish.engine.usage_feed import UsageFeed
        from aish.session.delegations import Delegations

        delegations, before = Delegations(), len(self.context.log)
        notes = self._supplies.notes
        if notes is not None:
            notes.pause()
        turn = self._turn(text, private=private)
        try:
            heard: list[Consumer] = [] if private else [delegations]
            yield from _told(turn, [*heard, self._excuse, UsageFeed()])
        except KeyboardInterrupt:  # while a command was offered
            yield Stopped(kept=True)
            return
        finally:
            self._failed = "" if len(self.context.log) > before or private else text
            while private and len(self.context.log) > before:
                self.context.rollback()
            if notes is not None:
                notes.begin()
            if len(self.context.log) == before:
                self._forget_place(again=bool(self._failed))
        if line := self._excuse.take():
            yield Noticed(line)
        yield from self._delegated(list(delegations))
        yield from self._look_around()

    @_heard
    def run(self, command: str) -> Events:
        """Run a command of the user's; the model sees it with the next question.

        Raises: ShellError.
        """
        from aish.core.events import Ran
        from aish.core.output_blocks import exec_block

        result = self._shell.enter(command)
        self._last = result = replace(result, private=result.private or command[:1].isspace())
        if not result.private:
            self.context.add_exec_output(exec_block(result))
        yield Ran(result)
        yield from self._look_around()

    @_heard
    def try_out(self, command: str, *, network: bool = False) -> Events:
        """Try a command of the user's; the model sees it with the next question.

        Raises: UsageError where nothing can be tried; ShellError, StoreError.
        """
        from aish.core.events import Ran
        from aish.core.output_blocks import exec_block
        from aish.engine.ports import Tries

        if not isinstance(self._shell, Tries):
            raise UsageError("nothing can be tried here")
        ran = Ran(self._shell.tried(command, network=network))
        self.context.add_exec_output(exec_block(ran.result))
        yield ran

    @_heard
    def undo(self) -> Events:
        """Drop the last exchange: the question and everything it led to."""
        from aish.core.events import Noticed, Undone

        gone = self.context.undo()
        if not gone:
            yield Noticed("the conversation is empty")
            return
        self._failed = ""
        self._forget_place()
        yield Undone(gone)

    @_heard
    def retry(self) -> Events:
        """Take the last exchange back and ask again; a question that failed is out already.

        Raises: UsageError, when nothing was asked; StoreError.
        """
        from aish.core.events import Retried

        question = self._failed or self.context.rollback()
        if not question:
            raise UsageError("there is no question to ask again", "ask one first")
        if not self._failed:
            self._forget_place(again=True)
            yield Retried(question)
        yield from self._asked(question)

    @_heard
    def pursue(self, goal: str, order: Order) -> Events:
        """Work toward a goal, step after step.

        Raises: UsageError, where there are no autonomous runs; AishError.
        """
        from aish.core.autonomy import Run

        yield from self._pursued(Run(goal), order)

    @_heard
    def go_on(self, order: Order) -> Events:
        """Go on with the run that was stopped, or that a crash ended.

        Raises: UsageError, when there is none; AishError.
        """
        from aish.core.output_blocks import skipped_block

        run = self.last_run.run
        if run is None or not run.open:
            raise UsageError(
                "there is no run to go on with",
                "`:norris GOAL` begins one; one of an earlier session goes on after `:resume`",
            )
        for command in self.last_run.unseen():
            self.context.add_exec_output(skipped_block(f"nobody saw how this ended: {command}"))
        yield from self._pursued(run, order)

    @_heard
    def reset(self) -> Events:
        """Start the conversation afresh."""
        from aish.core.events import Emptied

        self.context.reset()
        self._failed = ""
        self._forget_place()
        yield Emptied()

    def _forget_place(self, *, again: bool = False) -> None:
        """What told the model where it is has left the conversation: the next question says it."""
        if surroundings := self._supplies.surroundings:
            surroundings.forget_place(again=again)

    @_heard
    def pin(self, text: str) -> Events:
        """Keep a text word for word in every prompt of this conversation."""
        from aish.core.events import Pinned

        self.context.pin(text)
        yield Pinned(text)

    @_heard
    def unpin(self, text: str) -> Events:
        """Keep a text no longer."""
        from aish.core.events import Unpinned

        self.context.unpin(text)
        yield Unpinned(text)

    @_heard
    def begin_anew(self) -> Events:
        """Leave this conversation as it is, and begin an empty one with a log of its own."""
        from aish.core.events import Noticed

        self.context.reset()
        self._failed, self.last_run.run = "", None
        self._forget_place()
        left = self._journal.renew() if self._journal is not None else ""
        back = f"; `:resume {left}` goes back to the one before" if left else ""
        yield Noticed(f"a new session{back}")

    @_heard
    def compact(self) -> Events:
        """Make room now: old turns become notes.

        Raises: ContextOverflowError.
        """
        from aish.core.events import Evicted, Noticed
        from aish.engine.summarise import compact

        notes = self._supplies.notes
        made = compact(self.seen_context(), notes)
        if notes is not None:
            notes.begin()
        if made is None:
            yield Noticed("there is nothing to leave out")
        else:
            yield Evicted(made)

    @_heard
    def resume(self, reference: str) -> Events:
        """Go on with an earlier conversation, in an empty one.

        Raises: UsageError, StoreError.
        """
        if self._journal is None:
            raise UsageError("nothing is logged here")
        self._forget_place()
        self._carried.clear()
        yield self._journal.resume(reference, self.context)

    @_heard
    def delegate(self, preset: str, prompt: str) -> Events:
        """Ask another model; its answer is output that the next question shows.

        Raises: AishError.
        """
        from aish.core.events import Stopped

        try:
            yield from self._asked_other(preset, prompt, for_model=False)
        except KeyboardInterrupt:
            yield Stopped(kept=True)

    def seen_context(self) -> Context:
        """The conversation as the model in use sees it, as far as that is known without asking."""
        return self._seen_by(self._models.expected())

    def _seen_by(self, spec: ModelSpec) -> Context:
        from aish.engine.turn import route_for

        route = self.context.route
        # The embedded model's own server says its window with the first question.
        if route.key != spec.name or (spec.endpoint and route.window != spec.window):
            self.context.use(route_for(spec))
        return self.context

    def offer_tools(self) -> None:
        """Put the definitions of the tools into the context, as the next question will."""
        from aish.engine.tool_loop import offer

        offer(self.context, self._offered())

    def _offered(self) -> Tools | None:
        """What the model may call now; servers come and go between questions."""
        tools = self._supplies.offered_tools()
        if not self.planning or tools is None:
            return tools
        from aish.session.approval import PlannedTools

        return PlannedTools(tools)

    def _asker(self) -> Approver:
        from aish.session.approval import NeverRun

        return (self._planner or NeverRun()) if self.planning else self._approver

    # What the streams are made of

    def _pursued(self, run: Run, order: Order) -> Events:
        from aish.core.events import Ran
        from aish.core.messages import ExecResult
        from aish.core.output_blocks import exec_block
        from aish.engine.autonomy import Crew, Pursuit
        from aish.engine.usage_feed import UsageFeed
        from aish.session.running import further

        if self._teams is None:
            raise UsageError("there are no autonomous runs here")
        team = self._teams.team(order)
        crew = Crew(
            model=team.model,
            governor=team.governor,
            hands=team.hands,
            pilot=team.pilot,
            purse=team.purse,
            planner=None if order.plan else team.planner,
            around=self._supplies.around(),
            tools=self._offered,
            notes=self._supplies.notes,
            clock=team.clock,
        )
        limits = further(team.limits, run.spent)
        pursuit = Pursuit(
            run, self.context, crew, limits, plan=order.plan, tasks_max=team.tasks_max
        )
        try:
            yield from _told(pursuit.events(), [UsageFeed()])
            if kept := team.hands.finish(run.goal):
                result = ExecResult(f"norris --try {run.goal}", 0, kept, cwd=team.hands.cwd)
                self.context.add_exec_output(exec_block(result))
                yield Ran(result, by="ai")
        finally:
            team.hands.discard()

    def _turn(self, text: str, *, private: bool) -> Events:
        from aish.engine.turn import run_turn
        from aish.session.approval import NeverRun

        if self._memory is not None:
            self.context.set_block("background", self._memory.background(text))
        self._supplies.look_through(text)
        model = self._models.choose(text)
        self._use_prompt(model)
        enclosed = yield from self._enclosed(text, model.expected(), private=private)
        yield from run_turn(
            text,
            self.context,
            model,
            NeverRun() if private else self._asker(),
            self._shell,
            notes=self._supplies.notes,
            tools=None if private else self._offered(),
            around=self._supplies.around(),
            enclosed=enclosed,
        )

    def _enclosed(
        self, text: str, spec: ModelSpec, *, private: bool
    ) -> Generator[Event, None, Enclosed | None]:
        """What goes with the question from the place it is asked in, each thing told."""
        from aish.core.events import Attached, Noticed

        surroundings = self._supplies.surroundings
        if surroundings is None:
            return None
        context = self._seen_by(spec)
        enclosed = surroundings.enclose(
            text, self._shell.cwd, context, self._last, sees=spec.vision, private=private
        )
        for notice in enclosed.notices:
            yield Noticed(notice)
        place = len(self.context.log)
        self._carried = self._carried_before(place)
        for item in enclosed.attachments:
            told = Attached(item.label, item.tokens, item.whole_tokens, item.size)
            self._carried.append((place, told))
            yield told
        return enclosed

    @property
    def carried(self) -> list[Attached]:
        """What the questions in the window mentioned, in their order."""
        log, left_out = self.context.log, self.context.is_left_out
        here = self._carried_before(len(log))
        return [told for at, told in here if not left_out(log.entries[at].turn)]

    def _carried_before(self, place: int) -> list[tuple[int, Attached]]:
        return [(number, told) for number, told in self._carried if number < place]

    def _use_prompt(self, model: QuestionModel) -> None:
        """The system prompt of a class of questions or the usual one, with whom it may ask."""
        from aish.core.delegate import offer

        if self._usual_prompt is None:
            self._usual_prompt = self.context.blocks.get("base", "")
        parts = (model.prompt or self._usual_prompt, offer(model.others()))
        self.context.set_block("base", "\n".join(filter(None, parts)))

    def _delegated(self, wanted: Sequence[Delegation]) -> Events:
        """What an answer asks of other models: a few at most, until Ctrl-C.

        That one fails does not undo the answer, nor keep the rest from being asked; the model is
        told what came of each.
        """
        from aish.core.delegate import MOST
        from aish.core.events import NotDelegated, Noticed, Stopped

        stopped = False
        for asked in wanted[:MOST]:
            if stopped:
                yield self._other_said(asked.preset, asked.prompt, _NOT_ASKED)
                continue
            try:
                stopped = yield from self._asked_other(asked.preset, asked.prompt, for_model=True)
            except KeyboardInterrupt:
                stopped = True
                yield self._other_said(asked.preset, asked.prompt, _STOPPED)
                yield Stopped(kept=True)
            except AishError as error:
                yield self._other_said(asked.preset, asked.prompt, f"[no answer: {error.message}]")
                yield NotDelegated(asked.preset, error)
        if left := wanted[MOST:]:  # told in one: a flood of them would push out what was said
            why = "the user stopped here" if stopped else f"no more than {MOST} at a time"
            others = f", nor {len(left) - 1} more" if len(left) > 1 else ""
            yield self._other_said(left[0].preset, left[0].prompt, f"[not asked{others}: {why}]")
            if not stopped:
                yield Noticed(f"{len(left)} more for other models not asked: {why}")

    def _asked_other(
        self, preset: str, prompt: str, *, for_model: bool
    ) -> Generator[Event, None, bool]:
        """Another model's answer; True when the user stopped it.

        Raises: AishError.
        """
        from aish.core.events import Delegating, Stopped
        from aish.engine.prompts import Excerpt
        from aish.engine.step import step

        self._supplies.look_through(prompt)
        model, prompt = self._models.delegate(preset, prompt, for_model=for_model)
        yield Delegating(preset, prompt)
        spec = model.spec()
        asked = Excerpt(prompt, _alone, spec).fit(model)
        reply = yield from step(model, spec, asked, "delegate")
        stopped = reply.finish == "interrupted"
        if answer := reply.text.strip():
            yield self._other_said(preset, prompt, f"{answer}\n{_STOPPED}" if stopped else answer)
        if stopped:
            yield Stopped(kept=True)
        return stopped

    def _other_said(self, preset: str, prompt: str, answer: str) -> Event:
        from aish.core.events import Delegated
        from aish.core.output_blocks import delegated_block

        self.context.add_exec_output(delegated_block(preset, prompt, answer))
        return Delegated(preset, prompt, answer)

    def _look_around(self) -> Events:
        """What changes with the working directory, once it is another one."""
        if self._project is None or self._shell.cwd == self._cwd:
            return
        self._cwd = self._shell.cwd
        yield from self._project.entered(self._cwd)


def _alone(prompt: str) -> list[Message]:
    return [{"role": "user", "content": prompt}]


def _told(events: Events, consumers: Sequence[Consumer]) -> Events:
    """The events, each told to the consumers first.

    Ctrl-C while anybody is at work with one belongs to the question, so it is thrown into it.
    """
    with closing(events):
        event = next(events, None)
        while event is not None:
            try:
                for consume in consumers:
                    consume(event)
                yield event
            except KeyboardInterrupt as interrupt:
                event = _thrown(events, interrupt)
            else:
                event = next(events, None)


def _thrown(events: Events, interrupt: KeyboardInterrupt) -> Event | None:
    try:
        return events.throw(interrupt)
    except StopIteration:
        return None
