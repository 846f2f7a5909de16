import pytest

from chat.sending import start_conversation
from memories import gate
from memories.models import Memory, MemoryRevision
from tests.factories import make_agent, make_user
from xiajiao.models import IndexedText, StoredVector

pytestmark = pytest.mark.django_db


def test_a_person_who_is_deleted_leaves_nothing_in_the_indexes() -> None:
    person, agent = make_user(), make_agent(is_shared=True)
    origin = gate.Origin(MemoryRevision.Actor.AGENT, Memory.Source.TOOL)
    gate.write(agent, person.pk, gate.Draft("The user keeps bees"), origin)
    gate.write(agent, agent.owner_id, gate.Draft("The user keeps cats"), origin)
    start_conversation(person, agent, "My bees are well")
    person.delete()

    assert [text.key for text in IndexedText.objects.all()] == [str(Memory.objects.get().pk)]
    kept = {vector.key for vector in StoredVector.objects.all() if vector.vector}
    assert kept == {str(Memory.objects.get().pk)}
