"""Cannot be imported."""

raise RuntimeError("no paper in this laboratory")
