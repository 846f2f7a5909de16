"""The embedding model, as far as a person needs to know of it."""

from django.http import HttpResponse
from django.shortcuts import render

from xiajiao.embeddings import EmbeddingError, embed_query, fallback_reason, get_embedder
from xiajiao.requests import SignedInRequest
from xiajiao.views.staff import staff_only


@staff_only
def embedding_state(request: SignedInRequest) -> HttpResponse:
    """Asked for by the page after it is shown: the first use of a local model takes a few seconds."""
    context: dict[str, object] = {}
    try:
        context["embedder"] = get_embedder()
        embed_query("Xiajiao 虾饺")
    except EmbeddingError as error:
        context["error"] = str(error)
    context["fallback_reason"] = fallback_reason()
    return render(request, "xiajiao/_embedding_state.html", context)
