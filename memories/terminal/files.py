"""`profiles export` and `import`: the files of an agent and a person as a folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from memories.models import Agent
from memories.profiles.bringing import Bringing, Outcome, bring
from memories.profiles.folders import Written, read_folder, write_folder
from memories.profiles.layout import list_files
from memories.profiles.wording import VERDICTS, say_outcome
from memories.terminal.choosing import find_agent
from xiajiao.models import User
from xiajiao.terminal import find_user

NAMED = 20


def take_files_out(options: dict[str, Any]) -> Iterator[str]:
    """Raises CommandError, at the end too where a file was not written."""
    agent, user = find_whose(options)
    try:
        told = list(write_folder(options["folder"], list_files(agent, user), options["overwrite"]))
    except OSError as error:
        raise CommandError(f"{options['folder']}: {error.strerror}.") from None
    yield from tell(told, options)
    if not told and not options["json"]:
        yield _("All files of %(agent)s are empty: there is nothing to write.") % {"agent": agent.name}
    if any(each.fault == "foreign" for each in told):
        raise CommandError(_("What somebody else wrote stands where files should go; --overwrite replaces it."))
    raise_if_refused(told)


def bring_files_in(options: dict[str, Any]) -> Iterator[str]:
    """Raises CommandError, at the end too where a file could not be taken."""
    agent, user = find_whose(options)
    bringing = Bringing(agent, user.pk, is_dry=options["dry_run"])
    try:
        told = list(bring(bringing, read_folder(options["folder"])))
    except OSError as error:
        raise CommandError(f"{options['folder']}: {error.strerror}.") from None
    yield from tell(told, options)
    if not told and not options["json"]:
        yield _("There is no profile file in %(folder)s.") % {"folder": options["folder"]}
    if options["dry_run"] and not options["json"]:
        yield _("Nothing has been written.")
    raise_if_refused(told)


def find_whose(options: dict[str, Any]) -> tuple[Agent, User]:
    """As they are named; where there is but one, that. Raises CommandError."""
    people = list(User.objects.filter(is_active=True)[:2])
    if not options["user"] and len(people) != 1:
        raise CommandError(_("Say whose files, with --user."))
    user = find_user(options["user"]) if options["user"] else people[0]
    usable = Agent.objects.for_user(user)
    if options["agent"]:
        return find_agent(options["agent"], usable), user
    agents = list(usable.unarchived()[: NAMED + 1])
    if len(agents) == 1:
        return agents[0], user
    names = ", ".join(f"{agent.name} ({agent.pk})" for agent in agents[:NAMED]) or "–"
    raise CommandError(_("Say which agent, with --agent: %(names)s.") % {"names": names})


def tell(told: Sequence[Outcome | Written], options: dict[str, Any]) -> Iterator[str]:
    if options["json"]:
        files = [{**asdict(each), "said": say_outcome(each, options.get("dry_run", False))} for each in told]
        yield json.dumps({"dry_run": options.get("dry_run", False), "files": files}, ensure_ascii=False)
        return
    for each in told:
        yield f"{each.path}: {say_outcome(each, options.get('dry_run', False))}"


def raise_if_refused(told: Sequence[Outcome | Written]) -> None:
    """So that a script sees it."""
    count = Counter(each.verdict for each in told)["refused"]
    if count:
        raise CommandError(_("%(verdict)s: %(count)d") % {"verdict": VERDICTS["refused"], "count": count})
