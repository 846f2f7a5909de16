from xiajiao.models.providers import Provider
from xiajiao.models.users import User

__all__ = ["Provider", "User"]
