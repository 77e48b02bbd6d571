"""The command `aish`: what must be quick is answered before anything heavy is imported."""

import gc
import sys


def main() -> int:
    """Run aish and return its exit code."""
    try:
        arguments = with_config(sys.argv[1:])
    except ValueError as problem:
        sys.stderr.write(f"aish: {problem}\n")
        return 2
    if arguments in (["--version"], ["version"]):
        from aish import __version__

        return say(f"aish {__version__}\n")
    if arguments[:1] == ["-c"]:
        return run_like_a_shell(arguments)
    from aish.ui.streams import make_ready

    make_ready()
    gc.disable()  # importing makes no garbage worth looking for; on again where time is long
    if not arguments or arguments == ["-l"]:
        from aish.ui.instant import InstantPrompt

        prompt = InstantPrompt()
        prompt.paint()
        try:
            from aish.ui.ending import end_in_order

            end_in_order()
            from aish.cli import shell

            return shell(prompt)
        finally:
            prompt.restore()
    from aish.cli import run

    return leave_at_once(run(arguments))


def with_config(arguments: list[str]) -> list[str]:
    """`--config FILE` before everything else, or right after -p, is AISH_CONFIG for this aish.

    Raises: ValueError, without such a file: the defaults have no cap and no policy of the user's.
    """
    while arguments and (arguments[0] == "--config" or arguments[0].startswith("--config=")):
        import os

        first, *rest = arguments
        named = first.removeprefix("--config").removeprefix("=") or (rest.pop(0) if rest else "")
        if not named:
            raise ValueError("--config needs a file")
        path = os.path.abspath(os.path.expanduser(named))  # noqa: PTH100, PTH111
        if not os.path.exists(path):  # noqa: PTH110  (a link to nothing is nothing)
            raise ValueError(f"--config {named!a}: there is no such file")
        os.environ["AISH_CONFIG"] = path
        arguments = rest
    return ["-p", *with_config(arguments[1:])] if arguments[:1] == ["-p"] else arguments


def say(text: str) -> int:
    """Print, and return the exit code: 1 where nobody can be told, as other programs do."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except AttributeError:  # closed from the start
        problem = "standard output is closed"
    except (OSError, ValueError) as error:
        from aish.ui.streams import reason

        problem = reason(error)
        sys.stdout = None  # nothing is left to be written at the end
    else:
        return 0
    from contextlib import suppress

    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"aish: cannot write: {problem}\n")
    return 1


def leave_at_once(code: int) -> int:
    """End without taking the interpreter apart: all is written, and that would take 10 ms."""
    import os
    from contextlib import suppress

    code = say("") or code
    with suppress(OSError, ValueError):  # there may be nobody to tell
        sys.stderr.flush()
    os._exit(code)


def run_like_a_shell(arguments: list[str]) -> int:
    """`aish -c CMD [NAME ARG…]` becomes the user's shell doing just that."""
    import os

    if len(arguments) < 2:
        sys.stderr.write("aish: -c needs a command\n")
        return 2
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if not any(os.access(f"{folder}/aish", os.X_OK) for folder in folders if folder):
        from aish.config.places import cache_dir
        from aish.shell.own_name import put_on_path

        put_on_path(os.environ, cache_dir())
    try:
        os.execvp("bash", ["bash", *arguments])  # noqa: S606  (the shell it stands for)
    except OSError as error:
        sys.stderr.write(f"aish: cannot run bash: {error.strerror}\n")
        return 127


if __name__ == "__main__":
    sys.exit(main())
