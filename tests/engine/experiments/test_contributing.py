"""The experiment that CONTRIBUTING.md shows is one: whoever copies it starts from something that runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.experiment import Experiment
from tests.engine.runs import run

GUIDE = Path(__file__).parents[3] / "CONTRIBUTING.md"


def test_the_example_runs() -> None:
    """Its code as it stands in the guide gives every number that it declares, and its arms differ."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    module: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, str(GUIDE), "exec"), module)  # our own file, as a reader would save it
    experiment: Experiment = module["EXPERIMENT"]

    result = run(experiment, size=16)
    values = {quantity.name: quantity.value for quantity in result.quantities}

    assert {"biased_error", "fair_error"} == set(values)
    assert values["biased_error"] == 16 * values["fair_error"] != values["fair_error"]
    assert ["error_over_size"] == [series.name for series in result.series]
