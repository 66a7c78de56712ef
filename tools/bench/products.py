"""Matrix products at every SIMD level of the processor, and a roofline plot of each."""

import os
import subprocess

from measure import Row, figures

LEVELS = ("plain", "avx2", "avx512")


class Products(Row):
    """Only attend, and OpenBLAS if it is installed. The plots, roofline-LEVEL.svg in the folder of the
    benchmark, are of the last round."""

    def __init__(self, attend, threads, folder):
        self.tables = []
        super().__init__("products", {
            level: self.run_of(attend, threads, level, folder)
            for level in LEVELS if self.has(attend, level)}, [])

    @staticmethod
    def environment(level):
        return dict(os.environ, ATTEND_SIMD=level)

    def has(self, attend, level):
        return subprocess.run([attend, "--version"], env=self.environment(level),
                              capture_output=True, check=False).returncode == 0

    def run_of(self, attend, threads, level, folder):
        picture = os.path.join(folder, "roofline-%s.svg" % level)
        return lambda: figures([attend, "bench", "--products", "--json", "--threads", threads,
                                "--output", picture], self.environment(level))

    def cell(self, level, i, name):
        spread = self.spread(level, lambda r: r["products"][i][name])
        if not spread:
            return "FAILED"
        return "%.0f" % spread[0] if spread[0] else "-"

    def peak(self, level):
        spread = self.spread(level, lambda r: r["peak_own_gflops"])
        return "%s: %.0f" % (level, spread[0]) if spread else "%s: FAILED" % level

    def measure(self, rounds):
        super().measure(rounds)
        levels = list(self.runs)
        done = [level for level in levels if self.results[level]]
        if not done:
            return
        first = self.results[done[-1]][0]
        columns = [(level, name) for name in ("packed", "int8") for level in levels]
        head = ["rows"] + ["%s, %s" % column for column in columns] + ["OpenBLAS", "roof"]
        body = [["%d" % product["rows"]]
                + [self.cell(level, i, name + "_gflops") for level, name in columns]
                + [self.cell(done[-1], i, name) for name in ("blas_gflops", "roof_cache_gflops")]
                for i, product in enumerate(first["products"])]
        self.tables = [(
            "Products, GFLOP/s, of rows x %d x %d; the peaks of our own are %s"
            % (first["columns"], first["inner"], ", ".join(self.peak(l) for l in levels)),
            [head] + body)]
