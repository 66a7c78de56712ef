"""How the cost of an update grows: with the length at a fixed number of words, and with the number
of words at a fixed length."""

from measure import Row, figures


class Growth(Row):
    """Only attend. The share of attention is what an update without it saves: `--attention none` has no
    scores, no weights, no keys and no sum over the source."""

    def __init__(self, bench, inputs, sizes):
        self.sizes, self.tables = sizes, []
        runs = {}
        for batch, length in self.shapes():
            for attention in ("additive", "none"):
                runs[self.name(batch, length, attention)] = self.run_of(
                    bench, inputs, batch, length, attention)
        super().__init__("growth", runs, [])

    def shapes(self):
        s = self.sizes
        by_length = [(s.growth_words // length, length) for length in s.growth_lengths]
        by_words = [(words // s.growth_length, s.growth_length)
                    for words in (s.growth_words // 2, s.growth_words * 2)]
        return by_length + by_words

    @staticmethod
    def name(batch, length, attention):
        return "%d x %d words, attention %s" % (batch, length, attention)

    @staticmethod
    def run_of(bench, inputs, batch, length, attention):
        def run():
            source, target = inputs.fixed("growth.%d.%d" % (batch, length), 4 * batch, 7990, length)
            return figures([*bench, "--no-peak", "--src", source, "--tgt", target,
                            "--batch-sentences", batch, "--attention", attention])
        return run

    def line(self, batch, length):
        with_, without = (self.spread(self.name(batch, length, a),
                                      lambda r: 1e3 / r["updates_per_second"])
                          for a in ("additive", "none"))
        memory = self.spread(self.name(batch, length, "additive"), lambda r: r["peak_rss_mb"])
        if not with_ or not without:
            return ["%d" % length, "%d" % batch, "%d" % (batch * length), "FAILED", "", "", ""]
        return ["%d" % length, "%d" % batch, "%d" % (batch * length),
                "%.1f (%.1f-%.1f)" % with_, "%.1f" % (1e3 * with_[0] / (batch * length)),
                "%.0f %%" % (100 * (1 - without[0] / with_[0])), "%.0f" % memory[0]]

    def measure(self, rounds):
        super().measure(rounds)
        head = ["length", "pairs", "words a side", "ms an update", "ms for 1000 words",
                "attention's share", "peak MB"]
        shapes = self.shapes()
        at = [s for s in shapes if s[1] == self.sizes.growth_length]
        self.tables = [
            ("Cost by length, at a fixed number of words", [head] + [
                self.line(*shape) for shape in shapes[:len(self.sizes.growth_lengths)]]),
            ("Cost by number of words, at a fixed length", [head] + [
                self.line(*shape) for shape in sorted(at)])]
