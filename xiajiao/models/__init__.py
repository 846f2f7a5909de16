from xiajiao.models.claims import ClaimedJob
from xiajiao.models.providers import Provider
from xiajiao.models.texts import IndexedText
from xiajiao.models.users import User
from xiajiao.models.vectors import StoredVector

__all__ = ["ClaimedJob", "IndexedText", "Provider", "StoredVector", "User"]
