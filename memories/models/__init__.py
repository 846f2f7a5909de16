from memories.models.agents import Agent
from memories.models.bulk import BulkBatch, BulkChange
from memories.models.findings import Finding, HealthState
from memories.models.memories import Memory
from memories.models.modes import MemoryMode
from memories.models.pending import PendingWrite
from memories.models.profiles import ProfileFile, ProfileKind, ProfileRevision
from memories.models.reindexing import IndexDrift, Reindexing
from memories.models.revisions import MemoryRevision
from memories.models.tags import MemoryTag
from memories.models.tallies import MemoryTally
from memories.models.tombstones import Tombstone
from memories.models.transfers import Export, ForeignNumber, Import, ImportedText, ImportLine, Installation
from memories.models.types import MemoryType
from memories.models.writelocks import WriteLock

__all__ = [
    "Agent",
    "BulkBatch",
    "BulkChange",
    "Export",
    "Finding",
    "ForeignNumber",
    "HealthState",
    "Import",
    "ImportLine",
    "ImportedText",
    "IndexDrift",
    "Installation",
    "Memory",
    "MemoryMode",
    "MemoryRevision",
    "MemoryTag",
    "MemoryTally",
    "MemoryType",
    "PendingWrite",
    "ProfileFile",
    "ProfileKind",
    "ProfileRevision",
    "Reindexing",
    "Tombstone",
    "WriteLock",
]
