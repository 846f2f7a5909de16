"""Texts to vectors: the one door to embedding models."""

from xiajiao.embeddings.base import BaseEmbedder, Calibration, EmbeddingError, Vectors
from xiajiao.embeddings.queries import embed_query
from xiajiao.embeddings.registry import fallback_reason, get_embedder

__all__ = ["BaseEmbedder", "Calibration", "EmbeddingError", "Vectors", "embed_query", "fallback_reason", "get_embedder"]
