"""A comparison of two numbers, or two rows of them: what a load did, and what a tool counted."""
from dataclasses import dataclass


@dataclass
class Check:
    scenario: str
    expected: tuple
    counted: tuple
    wrong: str = ""         # what else is not as it must be
    many: bool = False      # some may be missing, if the tool may miss and says so
    told: int = 0           # of what is missing, it is known to be reported as lost: exactly
    most: int = None        # more than expected are right, up to this

    def __post_init__(self):
        self.expected, self.counted = numbers(self.expected), numbers(self.counted)

    @property
    def short(self):
        return sum(self.expected) - sum(self.counted)

    @property
    def is_equal(self):
        if self.told or self.most is not None:
            found = sum(self.counted) + self.told
            least = sum(self.expected)
            right = least <= found <= (least if self.most is None else self.most)
        else:
            right = self.expected == self.counted
        return right and not self.wrong

    @property
    def is_only_short(self):
        return self.many and not self.wrong and self.short > 0 and all(
            c <= e for e, c in zip(self.expected, self.counted))


def numbers(value):
    return (value,) if isinstance(value, int) else tuple(value)


def is_(scenario, text, condition):
    """A check of something that is no number: right or wrong."""
    return Check(scenario, (), (), "" if condition else text)
