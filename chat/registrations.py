"""What the chat hands down to `memories`, which may not know it."""

from chat.recalls import ChatRecalls
from memories.health import recalls

recalls.register(ChatRecalls())
