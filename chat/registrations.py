"""What the chat hands down to `memories`, which may not know it."""

from chat.forgetting.terminal import ChatForgetter
from chat.recalls import ChatRecalls
from memories import forgetting
from memories.health import recalls

recalls.register(ChatRecalls())
forgetting.register(ChatForgetter())
