"""Pages of the web by their address, for a knowledge base; never a door into the network that Xiajiao stands in."""

from knowledge.webpages.failures import Failure, FetchError
from knowledge.webpages.fetching import Bounds, Page, fetch
from knowledge.webpages.guard import Guard

__all__ = ["Bounds", "Failure", "FetchError", "Guard", "Page", "fetch"]
