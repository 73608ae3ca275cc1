"""What a campaign may be called: files are called so, and addresses."""

from __future__ import annotations

import re

from untrod.core.shapes import Malformed
from untrod.core.vocabulary import Json

_CAMPAIGN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 100


def is_campaign_id(name: object) -> bool:
    """Letters, digits and dashes, such as `inputs-7f3a`."""
    return isinstance(name, str) and len(name) <= _LONGEST and _CAMPAIGN.fullmatch(name) is not None


def campaign_id(value: Json, name: str) -> None:
    """The same as a shape."""
    if not is_campaign_id(value):
        raise Malformed(f"{name} is no name of a campaign")
