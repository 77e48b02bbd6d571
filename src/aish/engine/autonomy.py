"""An autonomous run: step after step, until the goal, a limit, or the user ends it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from aish.core.actions import ProposedCommand, proposed_commands
from aish.core.autonomy import (
    MOST_TASKS,
    GoalLine,
    Run,
    RunLimits,
    RunOutcome,
    RunProgress,
    RunUsage,
    goal_line,
    limit_reached,
    planned_tasks,
)
from aish.core.context.window import Context
from aish.core.errors import AishError, CapReached, SandboxError, ShellError
from aish.core.events import (
    Approved,
    Asked,
    Declined,
    Event,
    Halted,
    Noticed,
    Paused,
    Permitted,
    Planned,
    Proposed,
    Ran,
    Returned,
    RolledBack,
    RunBegan,
    RunEnded,
    Skipped,
    StepBegan,
    TasksChanged,
)
from aish.core.messages import ExecResult, ModelSpec, Reply, ToolCall
from aish.core.output_blocks import exec_block, skipped_block
from aish.core.provenance import sources
from aish.core.run_words import AGAIN, CUT, GO_ON, NOTHING, REPEATED, TOO_SOON
from aish.core.values import dataclass
from aish.engine.ports import (
    Decision,
    Governor,
    Hands,
    Model,
    Pilot,
    Purse,
    Ruling,
    RunPlace,
    Tools,
)
from aish.engine.preplan import preplan
from aish.engine.prompts import ConversationPrompt, taken_in
from aish.engine.proposing import Around
from aish.engine.small_steps import small_step
from aish.engine.step import step
from aish.engine.tool_loop import called, offer
from aish.engine.turn import route_for

if TYPE_CHECKING:
    from aish.engine.notes import BackgroundNotes

PURPOSE = "norris"
INTERRUPTED = 130  # the status of a command that Ctrl-C ended

CONTINUE = "Go on toward the goal: {goal}"
PLAN = (
    "\n\nThis is a dry run: nothing will run. Write the whole plan now: the tasks, each on a line "
    'that begins with "TASK: ", then every command in order, each on a line that begins with '
    '"CMD: ".'
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, and why."""

    outcome: RunOutcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who takes part in a run: what thinks, what decides, what acts, who watches and who pays."""

    model: Model
    governor: Governor
    hands: Hands
    pilot: Pilot
    purse: Purse
    around: Around | None = None  # what a small model is told of the machine
    planner: Model | None = None  # writes the tasks once, where there is one
    tools: Callable[[], Tools | None] = lambda: None
    notes: BackgroundNotes | None = None
    clock: Callable[[], float] = lambda: 0.0


class Pursuit:
    """One sitting of a run; a second one goes on where the first was stopped."""

    def __init__(
        self,
        run: Run,
        context: Context,
        crew: Crew,
        limits: RunLimits,
        *,
        plan: bool = False,
        tasks_max: int = MOST_TASKS,
    ) -> None:
        self._run = run
        self._context = context
        self._crew = crew
        self._limits = limits
        self._plan = plan
        self._tasks_max = tasks_max
        self._began, self._paid = crew.clock(), crew.purse.micro
        self._steps = self._tokens = 0
        self._progress = RunProgress()
        self._results: list[str] = []  # of this sitting, as a small model is shown them
        self._task_begun = 0  # how many of them were there when its task began

    def events(self) -> Generator[Event, None, None]:
        """The run, until it ends; it is told why."""
        run, crew, context = self._run, self._crew, self._context
        yield RunBegan(run.goal, run.tasks, crew.hands.tried, run.spent)
        if (tools := crew.tools()) is not None:
            tools.begin()
        crew.purse.begin_run()
        context.set_goal(run.goal, run.tasks)
        try:
            yield from self._preplanned()
            ending = yield from self._steps_to_the_end()
        finally:
            context.set_goal("")
            crew.purse.end_run()
        yield RunEnded(ending.outcome, ending.reason, self._spent())

    def _steps_to_the_end(self) -> Generator[Event, None, Ending]:
        words = self._first_words()
        while not (reached := limit_reached(self._limits, self._spent())):
            self._steps += 1
            before = len(self._context.log)
            yield StepBegan(self._spent().steps, self._limits.steps, self._spent())
            try:
                reply = yield from self._asked(words)
                words, ending = yield from self._acted_on(reply)
            except KeyboardInterrupt:
                yield Paused(kept=len(self._context.log) > before)
                words, ending = AGAIN, None
                if not self._crew.pilot.goes_on():
                    ending = Ending("stopped", "by you")
            except AishError as error:
                yield RolledBack(error)
                outcome: RunOutcome = "limit" if isinstance(error, CapReached) else "failed"
                ending = Ending(outcome, error.message)
            if ending is not None:
                return ending
        return Ending("limit", reached)

    def _preplanned(self) -> Iterator[Event]:
        """The tasks by the planner; without them the run goes on as it is."""
        planner = self._crew.planner
        if planner is None or self._run.tasks or self._run.spent.steps:
            return
        try:
            tasks = preplan(planner, self._run.goal, self._tasks_max)
        except AishError as error:
            yield Noticed(f"no plan was written ({error.message}); one model does both")
            return
        except KeyboardInterrupt:
            tasks = ()
        if tasks:
            yield from self._set_tasks(tasks)
        else:
            yield Noticed("the planner wrote no TASK: lines; one model does both")

    def _first_words(self) -> str:
        if self._run.spent.steps:
            return CONTINUE.format(goal=self._run.goal)
        return self._run.goal + (PLAN if self._plan else "")

    # Asking ------------------------------------------------------------------------------------

    def _asked(self, words: str) -> Generator[Event, None, Reply]:
        """The next answer; where there is none, the conversation is as before.

        Raises: AishError; KeyboardInterrupt, when the user stopped it.
        """
        context, crew = self._context, self._crew
        spec = crew.model.spec()
        context.use(route_for(spec))
        small = crew.around if spec.proposing is not None else None
        offer(context, crew.tools() if small is None else None)
        # After the results of tools the model goes on by itself; words would come between.
        speaks = context.pending_output or not _waits_for_answer(context)
        if speaks:
            context.add_user(words)
            yield Asked(context.log.entries[-1].turn, spec)
        try:
            if small is not None:
                reply = yield from self._small_step(spec, small)
            else:
                prompt = ConversationPrompt(context, crew.model, crew.notes)
                reply = yield from step(crew.model, spec, prompt, PURPOSE)
        except BaseException:
            if speaks:
                context.rollback()
            raise
        self._count(reply)
        yield from taken_in(reply, context, counted=small is None)
        if reply.finish == "interrupted":
            raise KeyboardInterrupt
        return reply

    def _small_step(self, spec: ModelSpec, around: Around) -> Generator[Event, None, Reply]:
        """A step of a small model toward the first task that is left, and at last the goal.

        It cannot hold a plan in mind, so it sees one task at a time; those that are over leave
        the list, which is in the log: who goes on later goes on with the rest.
        """
        while True:
            tasks, begun = self._run.tasks, self._task_begun if self._run.tasks else 0
            wanted, done = (tasks or (self._run.goal,))[0], self._results[begun:]
            reply = yield from small_step(
                self._crew.model, spec, wanted, done, around, purpose=PURPOSE, aloud=not tasks
            )
            line = goal_line(reply.text)
            if not tasks or line is None or reply.finish == "interrupted":
                return reply
            over = "done" if line.outcome == "complete" else "given up"
            yield Noticed(f"task {over}: {wanted}")
            yield from self._set_tasks(tasks[1:], said=True)
            self._task_begun = len(self._results)

    def _count(self, reply: Reply) -> None:
        usage = reply.usage
        prompt = usage.prompt_tokens or self._context.estimate_tokens()
        self._tokens += prompt + (usage.completion_tokens or len(reply.text) // 4)

    def _spent(self) -> RunUsage:
        before, crew = self._run.spent, self._crew
        return RunUsage(
            before.steps + self._steps,
            before.seconds + crew.clock() - self._began,
            before.tokens + self._tokens,
            before.micro_dollars + crew.purse.micro - self._paid,
        )

    # Acting ------------------------------------------------------------------------------------

    def _acted_on(self, reply: Reply) -> Generator[Event, None, tuple[str, Ending | None]]:
        """Take every action of an answer, then its goal line: the next words, or the end."""
        yield from self._taken_tasks(reply)
        proposals = proposed_commands(reply.text, complete=reply.complete)
        if self._plan:
            yield from self._listed(reply, proposals)
            return "", Ending("planned")
        after = sources([entry.turn for entry in self._context.log.entries])
        progress = self._progress
        progress.next_answer()
        tools = self._crew.tools() if reply.tool_calls else None
        if tools is not None:
            yield from self._called(reply.tool_calls, tools)
            if reason := progress.skipped_too_often():
                return "", Ending("stopped", reason)
        for proposal in proposals:
            ending = yield from self._dealt_with(replace(proposal, after=after))
            if ending is not None:
                return "", ending
        line = goal_line(reply.text) if reply.complete else None
        return self._next(reply, line)

    def _next(self, reply: Reply, line: GoalLine | None) -> tuple[str, Ending | None]:
        progress = self._progress
        if line is not None and (progress.all_well or line.outcome == "blocked"):
            return "", Ending(line.outcome, line.reason)
        if stuck := progress.stuck():
            return "", Ending("blocked", stuck)
        if line is not None:
            return TOO_SOON, None
        if progress.repeats:
            return REPEATED, None
        if reply.finish == "length":
            return CUT, None
        return (GO_ON if progress.did_something else NOTHING), None

    def _taken_tasks(self, reply: Reply) -> Iterator[Event]:
        """The model may write its list of tasks anew at any time."""
        tasks = planned_tasks(reply.text, self._tasks_max)
        if tasks and tasks != self._run.tasks:
            yield from self._set_tasks(tasks, said=True)

    def _set_tasks(self, tasks: tuple[str, ...], *, said: bool = False) -> Iterator[Event]:
        self._run = replace(self._run, tasks=tasks)
        self._context.set_goal(self._run.goal, tasks)
        yield TasksChanged(tasks, said)

    def _listed(self, reply: Reply, proposals: list[ProposedCommand]) -> Iterator[Event]:
        for call in reply.tool_calls:
            yield Planned(f"{call.name}({call.arguments})", "tool")
        for proposal in proposals:
            verdict = self._crew.governor.rule(proposal).verdict
            yield Planned(proposal.command, verdict.level, verdict.reason)

    def _called(self, calls: Sequence[ToolCall], tools: Tools) -> Iterator[Event]:
        """Make the calls, and note what came of each."""
        permitted: list[ToolCall] = []
        for event in called(calls, self._context, tools):
            if isinstance(event, Permitted):
                permitted.append(event.call)
            elif isinstance(event, Returned):
                call, turn = event.call, event.turn
                action = f"{call.name} {call.arguments}"
                if call in permitted:
                    result = ExecResult(action, int(turn.is_error), turn.content)
                    self._progress.ran(result)
                else:
                    self._progress.skipped(action)
            yield event

    def _dealt_with(self, proposal: ProposedCommand) -> Generator[Event, None, Ending | None]:
        """One command: run by itself, asked about, or refused."""
        governor = self._crew.governor
        yield Proposed(proposal)
        ruling = governor.rule(proposal)
        directory = self._crew.hands.cwd
        if ruling.choice == "run":
            yield Approved(proposal.command, directory, ruling.verdict.level, ruling.place)
            yield from self._ran(proposal.command, ruling.place)
            return None
        if ruling.choice == "refuse":
            return (yield from self._skipped(proposal, f"a rule forbids: {proposal.command}"))
        yield Halted(proposal.command, ruling.verdict.reason)
        decision = governor.ask(proposal, ruling)
        if decision.choice == "run":
            place: RunPlace = "trial" if self._crew.hands.tried else "shell"
            yield Approved(decision.command, directory, decision.verdict, place)
            yield from self._ran(decision.command, place)
            return None
        if decision.choice == "stop":
            yield Declined(proposal)
            return Ending("stopped", "by you")
        return (yield from self._skipped(proposal, _told(proposal, decision, ruling)))

    def _ran(self, command: str, place: RunPlace) -> Iterator[Event]:
        try:
            result = replace(self._crew.hands.run(command, place), command=command)
        except (SandboxError, ShellError) as error:
            result = ExecResult(command, 125, f"[it did not run: {error.message}]")
        self._results.append(exec_block(result))
        self._context.add_exec_output(self._results[-1])
        self._progress.ran(result)
        yield Ran(result, by="ai")
        if result.status == INTERRUPTED:
            raise KeyboardInterrupt

    def _skipped(
        self, proposal: ProposedCommand, told: str
    ) -> Generator[Event, None, Ending | None]:
        yield Declined(proposal)
        self._results.append(skipped_block(told))
        self._context.add_exec_output(self._results[-1])
        self._progress.skipped(proposal.command)
        yield Skipped(proposal.command, told)
        if reason := self._progress.skipped_too_often():
            return Ending("stopped", reason)
        return None


def _told(proposal: ProposedCommand, decision: Decision, ruling: Ruling) -> str:
    who = decision.reason or "skipped by user"
    return f"{proposal.command}: {who} (it {ruling.verdict.reason})"


def _waits_for_answer(context: Context) -> bool:
    entries = context.log.entries
    return bool(entries) and entries[-1].turn.role == "tool"
