"""The figures behind `:cost`."""

from aish.core.messages import Usage
from aish.core.money.meter import CountedRequest, Meter, Thresholds


def test_calls_are_summed_by_model_and_purpose() -> None:
    meter = Meter()
    meter.add(CountedRequest("a", "main", Usage(10, 2, 4), 100, billed=True))
    meter.add(CountedRequest("a", "main", Usage(20, 3), 50, billed=True))
    meter.add(CountedRequest("a", "summary", Usage(5, 1), 1, billed=True))
    first, second = meter.rows
    assert (first.calls, first.prompt, first.cached, first.completion, first.micro) == (
        2,
        30,
        4,
        5,
        150,
    )
    assert second.purpose == "summary"
    assert (meter.micro, meter.tokens) == (151, 41)


def test_local_use_is_told_apart_from_a_cloud_call_that_cost_nothing() -> None:
    meter = Meter()
    meter.add(CountedRequest("local", "main", Usage(1, 1)))
    meter.add(CountedRequest("cloud", "main", Usage(1, 1), 0, billed=True))
    meter.add(CountedRequest("dark", "main", Usage(1, 1), None, billed=True))
    costs = {row.model: row.cost for row in meter.rows}
    assert costs == {
        "local": "unbilled",
        "cloud": "$0.00",
        "dark": "$0.00 + 1 at an unknown price",
    }


def test_each_threshold_warns_once_until_reset() -> None:
    meter = Meter(Thresholds(micro=1_000_000, tokens=100))
    assert meter.add(CountedRequest("m", "main", Usage(10, 0), 900_000, billed=True)) == []
    (warning,) = meter.add(CountedRequest("m", "main", Usage(10, 0), 200_000, billed=True))
    assert "$1.10" in warning
    (warning,) = meter.add(CountedRequest("m", "main", Usage(100, 0), 1, billed=True))
    assert "tokens" in warning
    assert meter.add(CountedRequest("m", "main", Usage(100, 0), 5_000_000, billed=True)) == []
    meter.reset()
    assert len(meter.add(CountedRequest("m", "main", Usage(100, 0), 5_000_000, billed=True))) == 2


def test_an_estimate_is_shown_only_where_it_was_off_by_more_than_a_tenth() -> None:
    meter = Meter()
    meter.add(CountedRequest("good", "main", Usage(100, 1), estimate=109))
    meter.add(CountedRequest("bad", "main", Usage(100, 1), estimate=120))
    meter.add(CountedRequest("none", "main", Usage(100, 1)))
    assert {row.model: row.off_estimate for row in meter.rows} == {
        "good": None,
        "bad": 120,
        "none": None,
    }
