"""What speaks against a command without running it."""

from __future__ import annotations

from dataclasses import dataclass, field

from aish.core.proposal.faults import faults, invented, left_out


@dataclass
class Machine:
    """A machine with a few programs, their options and files."""

    programs: frozenset[str] = frozenset(
        ["ls", "tail", "echo", "cat", "find", "grep", "sudo", "cp"]
    )
    options: frozenset[str] = frozenset(["-n", "--all", "-name", "-exec", "-l"])
    files: frozenset[str] = field(default_factory=frozenset)

    def has(self, program: str) -> bool:
        return program in self.programs

    def knows(self, program: str, option: str) -> bool:
        return option in self.options

    def exists(self, name: str) -> bool:
        return name in self.files

    def reads(self, command: str) -> bool:
        return "(docs" not in command

    def destroys(self, command: str) -> str:
        return "deletes files" if "-delete" in command else ""


HERE = Machine()
XARGS = Machine(HERE.programs | {"xargs"})


def test_a_good_command_has_no_faults() -> None:
    request = "show the last 20 lines of /var/log/app.log"
    assert faults("tail -n 20 /var/log/app.log", request, HERE) == ()


def test_what_destroys_is_a_fault_where_somebody_only_wants_to_look() -> None:
    machine = Machine(options=HERE.options | {"-delete"})
    command = "find . -name core -delete"
    asked = "find the files named core"
    assert faults(command, asked, machine) == ("it deletes files, which you did not ask for",)
    for wanted in ("find and delete the files named core", "remove the files named core"):
        assert faults(command, wanted, machine) == ()
    assert faults("find . -name core", asked, machine) == ()


def test_an_open_quote_is_a_fault() -> None:
    assert faults("echo 'hello", "say hello", HERE) == ("it is not a whole command",)
    assert faults("ls -l(docs/*)", "list docs", HERE) == ("it is not a whole command",)


def test_a_program_that_is_not_here_is_a_fault() -> None:
    assert faults("ls | fdfind x", "list", HERE) == ("fdfind is not installed here",)


def test_an_option_that_the_program_does_not_have_is_a_fault() -> None:
    assert faults("ls --newest=10", "list", HERE) == ("ls does not know --newest",)
    assert faults("ls --all | cat --newest", "list", HERE) == ("cat does not know --newest",)


def test_options_of_a_command_within_another_are_left_alone() -> None:
    assert faults("find . -name x | xargs ls --newest", "list", XARGS) == ()
    assert faults("find . -exec ls --newest {} +", "list", HERE) == ()


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


def test_an_ending_is_copied_as_it_is_written() -> None:
    assert left_out("move the pictures (they end in .JPG)", "mv *.jpg x") == [".JPG"]
    assert left_out("move all *.JPG files", "mv *.JPG x") == []
    assert left_out("count lines. Then stop.", "wc -l x") == []


def test_names_that_braces_spell_out_are_copied_and_those_of_a_wildcard_are_not() -> None:
    request = "create part1.txt to part5.txt"
    assert left_out(request, "touch part{1..5}.txt") == []
    assert left_out(request, "touch part{1,5}.txt") == []
    assert left_out(request, "touch part{1,2}.txt") == ["part5.txt"]
    assert left_out("delete a.txt", "rm *.txt") == ["a.txt"]


def test_what_is_meant_loosely_is_not_missed() -> None:
    assert left_out("list the three files, e.g. with ls.", "ls | head -n 3") == []


def test_a_file_that_is_neither_named_nor_here_is_a_fault() -> None:
    found = faults("cat server.log", "show the log", HERE)
    assert found == ("there is no server.log, and you did not name it",)
    assert faults("cat server.log", "show the log", Machine(files=frozenset(["server.log"]))) == ()


def test_a_file_that_the_command_writes_may_have_a_new_name() -> None:
    assert invented("save the list", "ls > list.txt") == []
    assert invented("show Notes.TXT", "cat notes.txt") == []
    assert invented("show the log", "cat -n app.log") == ["app.log"]
    assert invented("the largest file", "find /path/to/directory -type f") == ["/path/to/directory"]
    assert invented("empty it", "cat /dev/null > /tmp/x/y") == []


def test_what_unpacks_another_kind_of_archive_is_a_fault() -> None:
    here = Machine(frozenset(["tar", "unzip"]), frozenset(["-xzf", "-czf", "-C"]))
    assert faults("tar -xzf fine.zip", "unpack fine.zip", here) == ("tar cannot read fine.zip",)
    assert faults("unzip 'a b.tar.gz'", 'unpack "a b.tar.gz"', here) != ()
    assert faults("tar -czf all.tar.gz a.zip", "pack a.zip into all.tar.gz", here) == ()
    assert faults("tar xf a.tar.gz -C out", "unpack a.tar.gz into out", here) == ()
    assert faults("unzip a.zip", "unpack a.zip", here) == ()
