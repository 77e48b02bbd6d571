"""How the small embedded model is spoken to: what it imitates and how it is sampled.

SmolLM2-135M follows examples far better than instructions: with these, simple requests come back
as well-formed `CMD: ` lines, and without sampling against repetition it loops.
"""

EXAMPLES = (
    ("list the files here", "CMD: ls"),
    ("what is a pipe?", "A pipe sends the output of one command into another."),
    ("how much disk space is free?", "CMD: df -h"),
    ("hello", "Hello! How can I help?"),
    ("show memory", "CMD: free -h"),
    ("what is my name?", "CMD: whoami"),
    ("count the lines in notes.txt", "CMD: wc -l notes.txt"),
    ("why do cats purr?", "Cats purr when they are content, and to calm themselves."),
)

SAMPLING = {
    "temperature": 0.1,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 2,
    "stop": ["\nCMD"],  # one command at a time; the second is hardly ever a good one
}
