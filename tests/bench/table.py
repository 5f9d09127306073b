"""The rows as text, and the exit status that they come to."""

from collections.abc import Sequence

from tests.bench.row import Bound, Row, Unit, missed

_PLACES: dict[Unit, int] = {"x": 3, "ms": 2, "calls": 0, "records": 0}
_HEADS = ("what", "measured", "bound", "", "beside")


def table(rows: Sequence[Row]) -> str:
    """One line for each row under a line of heads, in columns."""
    cells = [_HEADS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEADS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def verdict(rows: Sequence[Row]) -> tuple[int, str]:
    """The exit status, 1 where a bound is missed, and the line that says so and names them."""
    bounds = sum(row.bound is not None for row in rows)
    failed = missed(rows)
    if not failed:
        return 0, f"all {bounds} bounds hold"
    names = "; ".join(f"{row.what}: {_figure(row.figure, row.unit)}, {_bound(row)}" for row in failed)
    return 1, f"{len(failed)} of {bounds} bounds missed: {names}"


def _cells(row: Row) -> tuple[str, ...]:
    sign = "" if row.bound is None else ("ok" if row.ok else "MISSED")
    return (row.what, _figure(row.figure, row.unit), _bound(row), sign, row.detail)


def _bound(row: Row) -> str:
    if row.bound is None:
        return ""
    return f"{_sign(row.bound)} {row.bound.limit:g}{row.unit if row.unit == 'x' else ' ' + row.unit}"


def _sign(bound: Bound) -> str:
    return ">=" if bound.at_least else "<="


def _figure(figure: float, unit: Unit) -> str:
    return f"{figure:.{_PLACES[unit]}f}{unit if unit == 'x' else ' ' + unit}"
