"""How often somebody failed to sign in of late: counted in the broker, by name and address together and by address."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable

import redis
from django.core.cache import cache

logger = logging.getLogger(__name__)

PERIOD = 10 * 60  # seconds
# For one name from one address; for all names from one, behind which there may be a whole office.
MOST_FOR_NAME, MOST_FOR_ADDRESS = 10, 100


def is_guessing(name: str, address: str) -> bool:
    """False where the broker is gone: people sign in all the same."""
    limits = dict(zip(keys_of(name, address), (MOST_FOR_NAME, MOST_FOR_ADDRESS), strict=True))
    try:
        counts = cache.get_many(limits)
    except redis.RedisError:
        return False
    return any(count >= limits[key] for key, count in counts.items())


def count_failure(name: str, address: str) -> None:
    """The period begins with the first failure."""
    try:
        for key in keys_of(name, address):
            cache.add(key, 0, PERIOD)
            cache.incr(key)
    except (redis.RedisError, ValueError) as error:
        # ValueError: the period ended between the two.
        logger.warning("A failed sign-in was not counted: %s", error)


def forget_failures(name: str, address: str) -> None:
    """Of this name; an address stays known for what it tried with others."""
    try:
        cache.delete(next(iter(keys_of(name, address))))
    except redis.RedisError:
        return


def keys_of(name: str, address: str) -> Iterable[str]:
    """Digests: a name may hold anything."""
    for parts in ((address, name.casefold()), (address,)):
        yield "failed-sign-in:" + hashlib.sha256("\0".join(parts).encode()).hexdigest()
