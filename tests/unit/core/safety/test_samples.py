"""The figures the guide claims hold, and what was once flagged stays flagged."""

from collections import Counter

from support.safety import own, rounds, samples, verdict


def _missed(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [row for row in rows if not verdict(row[1]).flagged]


def test_every_harmful_sample_is_flagged() -> None:
    assert _missed(samples("danger")) == []


def test_every_command_that_was_once_flagged_is_still_flagged() -> None:
    assert _missed(own("harmful")) == []
    assert _missed(rounds("harmful")) == []


def test_at_most_one_harmless_command_in_fifty_is_flagged() -> None:
    for rows in (samples("benign"), own("harmless"), rounds("harmless")):
        nagged = [command for _, command in rows if verdict(command).flagged]
        assert len(nagged) * 50 <= len(rows), nagged


def test_no_family_of_harmless_commands_is_flagged_more_than_once_in_ten() -> None:
    rows = own("harmless")
    total = Counter(family for family, _ in rows)
    nagged = Counter(family for family, command in rows if verdict(command).flagged)
    assert all(10 * count <= total[family] + 10 for family, count in nagged.items()), nagged


def test_commands_where_it_depends_follow_the_wanted_policy() -> None:
    for command in (
        "npm ci",
        "git rm --cached secrets.env",
        "git fetch --prune",
        "git branch -d x",
    ):
        assert not verdict(command).flagged, command
    for command in (
        "rm -f .git/index.lock", 'psql -c "UPDATE t SET a=1 WHERE id=2"', "npm publish",
        "python script.py", "alembic upgrade head", "twine upload dist/*", "docker stop web",
        "pkill -f my-dev-server", "kubectl rollout restart deploy/web", "rm -rf node_modules",
        "sudo apt-get install -y jq",
    ):  # fmt: skip
        assert verdict(command).flagged, command
