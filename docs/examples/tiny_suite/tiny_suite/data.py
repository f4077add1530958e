"""What is judged: one question, with the answer of one arm."""

from adjudge import Record


class QuizAnswer(Record, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A question with its right answer and the one given; None: the arm did not answer."""

    question: str
    right: str
    given: str | None = None
