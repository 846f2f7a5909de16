from knowledge.models.bases import KnowledgeBase
from knowledge.models.chunks import Chunk, ParentChunk
from knowledge.models.documents import Document, DocumentTag
from knowledge.models.vectors import SemanticIndex

__all__ = ["Chunk", "Document", "DocumentTag", "KnowledgeBase", "ParentChunk", "SemanticIndex"]
