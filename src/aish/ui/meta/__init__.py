"""The colon commands, one small file per subject."""
