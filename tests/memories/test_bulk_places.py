"""What changes of many keep of the words of memories."""

import pytest
from django.test import Client

from chat.forgetting.removing import forget
from memories.models import BulkChange
from tests.factories import make_agent
from tests.memories.bulk import ask, keep
from xiajiao.models import User

pytestmark = pytest.mark.django_db


def test_the_search_that_chose_is_forgotten_with_a_memory_that_it_found(signed_in: Client, user: User) -> None:
    agent = make_agent(owner=user)
    boat, train = keep(agent, "The user's boat is called Zelphandor"), keep(agent, "用户每天坐地铁上班")
    for words in ("zelphandor ship", "地铁"):
        ask(signed_in, "pin", scope="all", matching=f"q={words}")
    forget(boat)

    [train_change, boat_change] = BulkChange.objects.all()
    assert "zelphandor" not in str(boat_change.selection)
    assert train_change.selection == {"filter": "q=%E5%9C%B0%E9%93%81"}
    assert boat_change.done >= 1
    forget(train)
    train_change.refresh_from_db()
    assert "%E5%9C%B0" not in str(train_change.selection)
