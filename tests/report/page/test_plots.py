"""The plots: values lie where their axis puts them, and nothing of matplotlib's own is left."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from adjudge.report.page.axis import Axis, difference_axis, whole_axis
from adjudge.report.page.svg import Plot, PlotFrame
from adjudge.report.text import label

UNIT = Axis(0.0, 1.0, (0.0, 0.5, 1.0))


def drawn(plot: Plot) -> ElementTree.Element:
    return ElementTree.fromstring(str(plot.svg("a plot")))


def numbers(svg: ElementTree.Element, kind: str) -> list[float]:
    (path,) = [one for one in svg.iter("path") if one.get("class") == kind]
    return [float(found) for found in re.findall(r"-?[\d.]+", path.get("d", ""))]


def test_a_value_lies_where_the_axis_puts_it() -> None:
    plot = Plot(PlotFrame(120.0, 60.0, 10.0, 10.0, 0.0, 20.0), UNIT)
    plot.levels("interval", [(0.25, 0.75, 10.0)])
    plot.strokes("value", [(0.5, 10.0)], 8.0)
    svg = drawn(plot)

    assert numbers(svg, "interval") == [35.0, 10.0, 85.0, 10.0]
    assert numbers(svg, "value") == [60.0, 6.0, 60.0, 14.0]


def test_a_histogram_stands_on_its_level() -> None:
    plot = Plot(PlotFrame(100.0, 40.0), UNIT)
    plot.steps("spread", [10.0, 20.0], 30.0)
    xs, ys = numbers(drawn(plot), "spread")[::2], numbers(drawn(plot), "spread")[1::2]

    assert sorted(set(xs)) == [0.0, 50.0, 100.0]
    assert sorted(set(ys)) == [10.0, 20.0, 30.0]


def test_a_plot_has_a_text_alternative_and_no_style_of_its_own() -> None:
    plot = Plot(PlotFrame(100.0, 40.0, bottom=18.0), UNIT)
    plot.grid()
    plot.margin("label", (0.0, 10.0), "$\\frac{1}{2}$ <b> 東\x1b\u202e")
    svg = drawn(plot)

    assert svg.attrib == {
        "class": "plot",
        "role": "img",
        "aria-label": "a plot",
        "width": "100",
        "height": "40",
        "viewBox": "0 0 100 40",
    }
    assert {name for one in svg.iter() for name in one.attrib}.isdisjoint({"style", "id", "fill", "stroke"})
    assert [one.text for one in svg.iter("text")] == ["0", "0.5", "1", "$\\frac{1}{2}$ <b> 東"]


def test_the_same_plot_gives_the_same_bytes() -> None:
    def made() -> str:
        plot = Plot(PlotFrame(100.0, 40.0), UNIT)
        plot.grid()
        plot.steps("spread", [1.0, 2.0], 30.0)
        return str(plot.svg("a"))

    assert made() == made()


def test_a_bounded_scale_is_shown_whole() -> None:
    assert whole_axis((0.0, 1.0), [0.4, 0.5]) == Axis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
    assert whole_axis((1.0, 5.0), [2.0]).ticks == (1.0, 2.0, 3.0, 4.0, 5.0)


def test_an_open_end_is_where_the_values_end() -> None:
    found = whole_axis((0.0, None), [3.0, 17.0])

    assert found.low == 0.0
    assert found.high >= 17.0


@pytest.mark.parametrize("values", [[], [0.0], [0.0, 0.0], [-0.2, -0.1], [3.0], [1e-9]])
def test_differences_are_drawn_around_zero(values: list[float]) -> None:
    found = difference_axis(values)

    assert found.low < 0.0 < found.high
    assert all(found.low <= value <= found.high for value in values)
    assert all(found.low <= tick <= found.high for tick in found.ticks)


def test_numbers_of_differences_have_no_sign() -> None:
    assert difference_axis([-0.2, 0.2]).label(-0.1) == "0.1"


def test_wide_letters_take_two_columns() -> None:
    assert label("東京タワー", 6) == "東京…"
    assert label("plain", 6) == "plain"
