from collections.abc import Iterator

import pytest

from tests.crash.house import House
from tests.crash.script import play
from tests.installation import Installation
from tests.openai_stub import OpenAIStub


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with OpenAIStub() as stub:
        stub.always(play)
        environment = {"OPENAI_BASE_URL": stub.base_url, "OPENAI_API_KEY": "none", "OPENAI_MODEL": "stub-model"}
        # For documents; memories keep the embedder that the gate is measured with.
        environment |= {"OPENAI_EMBEDDING_MODEL": "stub-embedding", "XIAJIAO_EMBEDDER": "e5"}
        installation = Installation(tmp_path_factory.mktemp("house"), environment)
        try:
            house = House(installation)
            house.move_in()
            yield house
        finally:
            installation.end()
