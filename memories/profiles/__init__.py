"""Profile files: who an agent is (SOUL), whom it talks to (USER), its notes (MEMORY) and its days (DAILY)."""
