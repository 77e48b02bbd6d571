"""The user's shell: running commands on a terminal and capturing what they print."""
