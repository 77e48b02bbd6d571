"""What several test suites share: drivers and fakes, no tests."""
