"""What speaks against a command without running it."""

from __future__ import annotations

from aish.core.proposal.faults import faults, left_out


def anything(_: str) -> bool:
    return True


def test_a_good_command_has_no_faults() -> None:
    request = "show the last 20 lines of /var/log/app.log"
    assert faults("tail -n 20 /var/log/app.log", request, anything) == ()


def test_an_open_quote_is_a_fault() -> None:
    assert faults("echo 'hello", "say hello", anything) == ("it is not a whole command",)


def test_a_program_that_is_not_here_is_a_fault() -> None:
    found = faults("ls | fdfind x", "list", lambda name: name == "ls")
    assert found == ("fdfind is not installed here",)


def test_names_paths_and_numbers_have_to_be_copied() -> None:
    request = 'replace "old words" in report.txt and ./b.md, 250 times, in ~/notes/'
    assert left_out(request, "sed -i s/x/y/ reports.txt") == [
        "old words",
        "report.txt",
        "./b.md",
        "250",
        "~/notes/",
    ]
    assert left_out(request, "sed 250 'old words' report.txt b.md ~/notes") == []


def test_what_is_meant_loosely_is_not_missed() -> None:
    assert left_out("list the three files, e.g. with ls.", "ls | head -n 3") == []
