"""What a row of the log may hold, as pydantic's model: rows that come from elsewhere are held against it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from quiz.progress.row_mapping import EARLIEST_MS, LATEST_MS

Id = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{0,80}$")]
Real = Annotated[float, Field(allow_inf_nan=False)]
ABSENT: Any = None  # a default is not validated: a value that stands there may not be null


class LogRow(BaseModel):
    """The columns of the log. The kinds of row are open: later versions have others."""

    model_config = ConfigDict(strict=True, extra="forbid")

    id: Id
    clock: Annotated[int, Field(ge=EARLIEST_MS)]
    at_ms: Annotated[int, Field(ge=EARLIEST_MS, le=LATEST_MS)]
    offset_minutes: Annotated[int, Field(ge=-24 * 60, le=24 * 60)]
    day: Annotated[int, Field(ge=1, le=date.max.toordinal() - 10_000)]  # room for every interval
    deck: Name
    card: Name
    kind: Annotated[str, StringConstraints(pattern=r"^[a-z-]{1,20}$")]
    undoes: Id = ABSENT
    grade: Annotated[int, Field(ge=1, le=4)] = ABSENT
    confidence: Annotated[int, Field(ge=1, le=3)] = ABSENT
    prediction: Real = ABSENT
    measured: Real = ABSENT
    correct: Annotated[int, Field(ge=0, le=1)] = ABSENT
    points: Annotated[str, StringConstraints(max_length=10_000, pattern=r"^[\x00-\x7f]*$")]
    seconds: Real = ABSENT
    version: Annotated[str, StringConstraints(pattern=r"^[ -~]{1,40}$")]


Point = Annotated[int, Field(ge=0, le=999)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
# What the JSON in `points` is for the kinds of row that cannot do without it.
DETAILS: dict[str, TypeAdapter[Any]] = {
    "grade": TypeAdapter(Annotated[list[Point], Field(max_length=100)]),
    "rename": TypeAdapter(Annotated[list[Slug], Field(min_length=2, max_length=2)]),
}
