from chat.models.attached import AttachedFile
from chat.models.conversations import Conversation
from chat.models.extraction import ExtractionJob
from chat.models.forgettings import Forgetting
from chat.models.links import Recalled, Remembered
from chat.models.losses import SourceLoss
from chat.models.messages import Message, ToolCall
from chat.models.sources import Source

__all__ = [
    "AttachedFile",
    "Conversation",
    "ExtractionJob",
    "Forgetting",
    "Message",
    "Recalled",
    "Remembered",
    "Source",
    "SourceLoss",
    "ToolCall",
]
