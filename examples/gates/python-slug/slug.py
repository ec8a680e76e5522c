"""Titles as parts of addresses."""

import re
import unicodedata


def slug(title: str) -> str:
    """'Crème brûlée!' becomes 'creme-brulee'; a title without letters becomes ''."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower()))
