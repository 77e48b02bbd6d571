"""Whatever is read: no exception, no hang, and a destructive part more is never laxer."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.safety import own, samples, verdict

ORDER = ("harmless", "unknown", "destructive")
COMMANDS = [command for _, command in samples("danger") + samples("benign") + own("harmless")]
WORDS = """rm ls cat echo sudo env git find xargs sh -c -rf -n -- / ~ . * ? $x ${x} ${x:-y} $(ls)
`ls` <(ls) | || && ; & > >> < << <<< ( ) { } [ ] [[ ]] if then fi for in do done while case esac
function coproc time ! = += a=1 'x' "$y" \\ # é {a,b} {1..3} 2>&1 &> EOF"""
PIECES = [*WORDS.split(), "\\\n", "\n", "\u202e", "\x1b"]
modest = settings(
    max_examples=120, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@modest
@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_any_words_in_any_order_get_a_verdict(pieces: list[str]) -> None:
    found = verdict(" ".join(pieces))
    assert found.level in ORDER
    assert found.reason


@modest
@given(st.text(max_size=60))
def test_any_text_gets_a_verdict(text: str) -> None:
    assert verdict(text).level in ORDER


@modest
@given(st.sampled_from(COMMANDS), st.integers(0, 200), st.sampled_from(PIECES))
def test_a_damaged_command_gets_a_verdict(command: str, place: int, piece: str) -> None:
    place = place % (len(command) + 1)
    assert verdict(command[:place] + piece + command[place:]).level in ORDER


@modest
@given(
    st.sampled_from(COMMANDS),
    st.sampled_from(["rm -rf /srv", "mkfs.ext4 /dev/sda", "shutdown now"]),
)
def test_a_destructive_part_more_is_never_laxer(command: str, part: str) -> None:
    before = verdict(command).level
    for longer in (f"{command}\n{part}", f"{part}\n{command}", f"{part} && {{ {command}\n}}"):
        after = verdict(longer).level
        assert ORDER.index(after) >= max(ORDER.index(before), 1), longer
