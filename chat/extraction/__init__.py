"""What a conversation leaves behind: looked through when it ends, and in between when it grows long."""
