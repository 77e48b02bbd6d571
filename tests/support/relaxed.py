"""Hypothesis without a clock: a busy machine is no reason for a test to fail."""

from hypothesis import HealthCheck, settings

relaxed = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
