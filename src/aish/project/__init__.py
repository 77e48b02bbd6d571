"""What is known of the working directory: its files, its git state, its instructions."""
