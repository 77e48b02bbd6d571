"""Running a command where it can do no harm: trials in an overlay, the sandbox, and undo."""
