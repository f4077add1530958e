"""The loop that runs any work that waits for answers: here a conversation that asks before every turn."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.core.ask import Question, Reply
from adjudge.core.errors import Pending, Unanswered
from adjudge.score.pending import PendingLoop, Resumable


class Parrot:
    """Answers every question with its prompt, one at a time, the shortest first."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.payers: list[str] = []
        self.open: list[Question[str]] = []

    def ask(self, requests: Iterable[Question[str]], asker: str = "") -> None:
        new = list(requests)
        self.asked += [question.prompt for question in new]
        self.payers += [asker] * len(new)
        self.open = sorted([*self.open, *new], key=lambda question: len(question.prompt))

    def wait(self) -> list[tuple[Question[str], Reply]]:
        question = self.open.pop(0)
        return [(question, Reply(question.prompt, seconds=2.0))]


class Talk(Resumable):
    """A conversation of so many turns, each of which asks a model once and is committed when it is complete."""

    def __init__(self, name: str, turns: int, withheld: dict[str, str] | None = None) -> None:
        super().__init__(withheld or {})
        self.name = name
        self.left = turns
        self.turns: list[str] = []
        self.runs = 0

    def advance(self) -> None:
        while self.left:
            self.runs += 1
            try:
                (text,) = self.ask("model", [Question(self.name * (len(self.turns) + 1), str)])
            except Pending as pending:
                return self.note(pending, self.name)
            except Unanswered as failure:
                text, self.left = failure.status, 1
            self.turns.append(text)
            self.left -= 1
        return None


def test_work_goes_on_step_by_step_and_each_piece_at_its_own_pace() -> None:
    parrot = Parrot()
    done = [talk.name for talk in PendingLoop({"model": parrot}).run([Talk("a", 3), Talk("bb", 1)])]
    assert done == ["bb", "a"]
    assert parrot.asked == ["a", "bb", "aa", "aaa"]
    assert parrot.payers == ["a", "bb", "a", "a"]


def test_a_committed_step_is_not_run_again() -> None:
    (talk,) = PendingLoop({"model": Parrot()}).run([Talk("a", 3)])
    assert talk.turns == ["a", "aa", "aaa"]
    assert talk.runs == 6  # Each of three turns twice: once to ask, once with the answer.


def test_the_work_has_the_replies_with_what_they_took() -> None:
    (talk,) = PendingLoop({"model": Parrot()}).run([Talk("a", 2)])
    assert [reply.seconds for reply in talk.replies.values()] == [2.0, 2.0]


def test_two_pieces_that_ask_the_same_share_the_request() -> None:
    parrot = Parrot()
    first, second = PendingLoop({"model": parrot}).run([Talk("a", 1), Talk("a", 1)])
    assert first.turns == second.turns == ["a"]
    assert parrot.asked == ["a"]


def test_only_so_many_are_in_flight() -> None:
    started: list[str] = []

    def start(name: str) -> Talk:
        started.append(name)
        return Talk(name, 1)

    works = PendingLoop[Talk]({"model": Parrot()}, in_flight=2).run(map(start, "abcd"))
    next(works)
    assert started == ["a", "b"]
    assert [talk.name for talk in works] == ["b", "c", "d"]


def test_what_is_withheld_is_never_asked() -> None:
    parrot = Parrot()
    (talk,) = PendingLoop({"model": parrot}).run([Talk("a", 3, {"model": "not allowed"})])
    assert talk.turns == ["not_allowed"]
    assert parrot.asked == []
