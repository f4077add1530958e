"""The baseline of a gate: the run and arm that each arm is compared with, and the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from adjudge.aggregate import stored_tables
from adjudge.compare.contrast import Contrast, Terms, draft_contrast
from adjudge.compare.family import judge_family
from adjudge.compare.sheet import Place, Sheet, left_out
from adjudge.compare.unnamed import open_sheet
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.gate import words
from adjudge.gate.coverage import CoverageShare, ScoredCounts, coverage_of
from adjudge.gate.rules import Rule
from adjudge.gate.verdicts import Outcome, RuleVerdict
from adjudge.read.addresses import refuse_address
from adjudge.run import MANIFEST, Run


class Baseline(Struct, frozen=True, eq=False):
    """The run that a gate compares with, and its arm if one was named, else None."""

    run: Run
    arm: str | None = None


class Opponents(Struct, frozen=True, eq=False):
    """An arm of the run and the arm of the baseline it is compared with, with their names in the sheet.

    `shared` is the share of the arm's conversations that the baseline has too, None where one of them keeps tallies and
    their conversations have no names.
    """

    run: Run
    arm: str
    base: Run
    base_arm: str
    name: str
    base_name: str
    shared: CoverageShare | None


def open_baseline(text: str) -> Baseline:
    """The baseline that RUN or RUN:ARM names; a folder may have colons in its name, and so may an arm."""
    refuse_address(text, "a run folder", "copy it first")
    if (Path(text) / MANIFEST).is_file():
        return Baseline(Run(Path(text)))
    for place in (place for place, char in enumerate(text) if char == ":"):
        if (Path(text[:place]) / MANIFEST).is_file():
            return _with_arm(Run(Path(text[:place])), text[place + 1 :])
    return Baseline(Run(Path(text)))


def _with_arm(run: Run, arm: str) -> Baseline:
    arms = list(run.manifest.coverage.arms)
    if arm not in arms:
        raise BadInput(f"{run.folder}: no arm {arm!r}{did_you_mean(arm, arms)} (there are: {', '.join(arms)})")
    return Baseline(run, arm)


def sheet_of(run: Run, baseline: Baseline | None, force: bool = False) -> Sheet:
    """The scores of the run and of its baseline side by side; raises BadInput if they were measured differently."""
    if baseline is None and stored_tables(run) is not None:
        return Sheet([run], force, chunks=lambda _: ())  # A run that keeps tallies has no values of conversations.
    return open_sheet([run] if baseline is None or _same(run, baseline.run) else [run, baseline.run], force)


def opponents(run: Run, arms: list[str], baseline: Baseline, sheet: Sheet) -> dict[str, Opponents]:
    """The arm that each arm is compared with: the named one, else the one of the same name, else the only one.

    An arm is not compared with itself.
    """
    base = run if _same(run, baseline.run) else baseline.run
    ours, theirs = sheet.names(run), sheet.names(base)
    here, there = ({}, {}) if sheet.unnamed else (_places(run), _places(base))
    pairs = {}
    for arm in arms:
        other = _opponent(arm, baseline, base)
        if base is not run or other != arm:
            shared = None if sheet.unnamed else _shared_places(here.get(arm, set()), there.get(other, set()))
            name, base_name = ours.get(arm, arm), theirs.get(other, other)
            pairs[arm] = Opponents(run, arm, base, other, name, base_name, shared)
    if not pairs:
        raise BadInput(
            f"{baseline.run.folder}: the arm would be compared with itself; name another with --against RUN:ARM"
        )
    return pairs


def _opponent(arm: str, baseline: Baseline, base: Run) -> str:
    arms = list(base.manifest.coverage.arms)
    if baseline.arm is not None:
        return baseline.arm
    if arm in arms:
        return arm
    if len(arms) == 1:
        return arms[0]
    raise BadInput(
        f"{base.folder}: no arm {arm!r} (there are: {', '.join(arms)}); name the one to compare with: "
        f"--against {base.folder}:ARM"
    )


def judge(rule: Rule, pair: Opponents, sheet: Sheet, asked: float) -> RuleVerdict:
    """The verdict of a rule that compares with a baseline."""
    coverage = _coverage(rule, pair, sheet)
    facts: dict[str, Any] = {"baseline": pair.base_name, "coverage": coverage.share}
    if why := left_out(sheet, rule.metric, pair.name, pair.base_name):
        return _verdict(rule, pair, "error", f"cannot be compared: {why}", **facts)
    if pair.shared is not None and not sheet.pairs(rule.metric, pair.name, pair.base_name):
        return _verdict(rule, pair, "error", f"no case is shared with {pair.base_name}", **facts)
    margin = rule.limit if rule.relation == "not worse" else None
    draft = draft_contrast(sheet, rule.metric, pair.name, pair.base_name, Terms(margin))
    (contrast,) = judge_family([draft], "none")
    facts |= {
        "value": contrast.difference,
        "low": contrast.low,
        "high": contrast.high,
        "n": contrast.pairs if contrast.paired else contrast.n,
        "unit": "pair" if contrast.paired else "case",
        "broken": (contrast.lost if contrast.better == "higher" else contrast.gained) or 0,
    }
    if not coverage.reaches(asked):
        return _verdict(rule, pair, "error", words.low_coverage(coverage, asked), **facts)
    if rule.relation == "better":
        return _verdict(rule, pair, *_better(contrast), p=contrast.p, **facts)
    return _verdict(rule, pair, *_not_worse(rule, contrast), **facts)


def _better(contrast: Contrast) -> tuple[Outcome, str]:
    if contrast.p is None:
        return "error", f"no test: {contrast.why}"
    return "pass" if contrast.verdict == "better" else "fail", words.better(contrast, contrast.p)


def _not_worse(rule: Rule, contrast: Contrast) -> tuple[Outcome, str]:
    if contrast.low is None or contrast.high is None:
        return "error", f"no interval of the difference: {contrast.why or 'the cases show no spread to measure it by'}"
    kept = contrast.low > -rule.limit if contrast.better == "higher" else contrast.high < rule.limit
    return "pass" if kept else "fail", words.not_worse(rule, contrast, contrast.low, contrast.high)


def _verdict(rule: Rule, pair: Opponents, outcome: Outcome, why: str, **facts: Any) -> RuleVerdict:
    return RuleVerdict(rule=rule, text=str(rule), arm=pair.arm, outcome=outcome, why=why, **facts)


def _coverage(rule: Rule, pair: Opponents, sheet: Sheet) -> CoverageShare:
    """The lowest share: the coverage of each arm, or the conversations they have in common where these have names."""
    ours = coverage_of(pair.run, pair.arm, ScoredCounts.of_column(sheet.column(rule.metric, pair.name)))
    theirs = coverage_of(pair.base, pair.base_arm, ScoredCounts.of_column(sheet.column(rule.metric, pair.base_name)))
    theirs = CoverageShare(theirs.share, f"{pair.base_name}: {theirs.lacks}")
    return min(filter(None, (ours, theirs, pair.shared)), key=lambda covered: covered.share)


def _shared_places(ours: set[Place], theirs: set[Place]) -> CoverageShare:
    both = len(ours & theirs)
    return CoverageShare(
        both / len(ours) if ours else 0.0, f"{len(ours) - both} of {len(ours)} conversations not in the baseline"
    )


def _places(run: Run) -> dict[str, set[Place]]:
    places: dict[str, set[Place]] = {}
    for row in run.summaries():
        places.setdefault(row.arm, set()).add((row.case, row.trial))
    return places


def _same(run: Run, other: Run) -> bool:
    return run.folder.resolve() == other.folder.resolve()
