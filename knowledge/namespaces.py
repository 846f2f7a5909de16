"""Where the chunks of a knowledge base stand in the indexes."""


def chunk_namespace(base_id: int) -> str:
    """The key in both indexes is the chunk's primary key as text."""
    return f"knowledge:{base_id}"
