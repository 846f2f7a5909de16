"""One module a format, run inside a child process; nothing here knows Django, so that the child starts at once."""
