#!/usr/bin/env python3
"""Words to words with fit and predict, the way scikit-learn does it: here years to Roman numerals.

The class needs nothing of scikit-learn, but has what its tools ask for: fit, predict, score, get_params and set_params.
"""
from __future__ import annotations

import random
from typing import Any

import attend


class Words:
    """Learns to turn words into other words, letter by letter. Parameters are the options of attend.train."""

    def __init__(self, **params: Any):
        self.params = {"tokenizer": "char", "emb": 32, "hidden": 64, **params}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return dict(self.params)

    def set_params(self, **params: Any) -> Words:
        self.params.update(params)
        return self

    def fit(self, X: list[str], y: list[str]) -> Words:
        self.model_ = attend.train(zip(X, y), **self.params)
        return self

    def predict(self, X: list[str]) -> list[str]:
        return [translation.text for translation in self.model_.translate(list(X))]

    def score(self, X: list[str], y: list[str]) -> float:
        """The share of words that are exactly right."""
        return attend.evaluate(self.predict(X), y, metric="accuracy")["accuracy"].score / 100


def roman(year: int) -> str:
    """1994 as MCMXCIV."""
    ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    raised = [str.maketrans("IVX", letters) for letters in ("IVX", "XLC", "CDM", "M__")]
    digits = reversed(list(enumerate(reversed(str(year)))))
    return "".join(ones[int(digit)].translate(raised[place]) for place, digit in digits)


def main() -> None:
    years = random.Random(1).sample(range(1, 4000), 3999)
    X, y = [str(year) for year in years], [roman(year) for year in years]
    words = Words(max_epochs=12, threads=1).fit(X[:3500], y[:3500])
    print("1994 is", words.predict(["1994"])[0])
    print(f"right: {words.score(X[3500:], y[3500:]):.1%} of {len(X[3500:])} years that it has not seen")


if __name__ == "__main__":
    main()
