"""The inputs of the benchmark: texts and models, made once and kept in its folder."""

import os
import random
import subprocess
import sys


class Failure(Exception):
    """A command that failed; the message is for the user."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def call(command, **how):
    """Run a command that prepares something; what it prints goes to stderr."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **how)
    if done.returncode:
        last = (done.stdout.strip().splitlines() or ["no output"])[-1]
        raise Failure("%s: %s" % (os.path.basename(str(command[0])), last))


def write_lines(path, lines):
    """Write atomically, so that the remains of an interrupted run are not taken for the text."""
    with open(path + ".part", "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)
    os.replace(path + ".part", path)


def read_lines(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def random_lines(seed, count, words, length):
    """`length` gives the words of a line from a random number in [0, 1)."""
    rng = random.Random(seed)
    return [" ".join("w%d" % int(rng.random() * words) for _ in range(length(rng.random())))
            for _ in range(count)]


class Inputs:
    """The paths of all inputs. The file exists once its method has returned the path."""

    def __init__(self, folder, attend, sizes, model=None):
        self.folder, self.attend, self.sizes, self.given_model = folder, attend, sizes, model
        data = os.path.join(os.environ.get("ATTEND_DATA", ""), "multi30k")
        self.data = data if os.path.exists(os.path.join(data, "train.en")) else None
        self.kind = "pieces" if self.data else "random"
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def what(self):
        return ("Multi30k English to German in 8000 joint SentencePiece pieces" if self.data
                else "random text (ATTEND_DATA is not set, or has no multi30k)")

    # ---- Texts

    def pairs(self):
        """Source and target of the training text."""
        return self.piece_file("train.en"), self.piece_file("train.de")

    def test(self):
        return self.piece_file("test_2016_flickr.en")

    def piece_file(self, name):
        made = self.path("%s.%s.%s" % (self.kind, self.sizes.name, name))
        if not os.path.exists(made):
            say("making %s" % made)
            if self.data:
                self.encode(name, made)
            else:
                self.invent(name, made)
        return made

    def encode(self, name, made):
        model = self.path("spm.model")
        if not os.path.exists(model):
            both = ",".join(os.path.join(self.data, "train." + side) for side in ("en", "de"))
            call(["spm_train", "--input=" + both, "--model_prefix=" + self.path("spm.part"),
                  "--model_type=bpe", "--vocab_size=8000", "--character_coverage=1.0"])
            os.replace(self.path("spm.part.model"), model)
        call(["spm_encode", "--model=" + model, "--output=" + made + ".all",
              os.path.join(self.data, name)])
        write_lines(made, read_lines(made + ".all")[:self.limit(name)])
        os.remove(made + ".all")

    def limit(self, name):
        return self.sizes.train_lines if name.startswith("train") else self.sizes.test_lines

    def invent(self, name, made):
        """As many lines as Multi30k has, of about as many words, the same number on both sides."""
        count = min(29000 if name.startswith("train") else 1000, self.limit(name))
        lengths = [3 + int(24 * random.Random(i).random()) for i in range(count)]
        walk = iter(lengths)
        write_lines(made, random_lines(name, count, 7990, lambda _: next(walk)))

    @staticmethod
    def words(path):
        """The words of a text. Of pieces, those that begin one do so with U+2581."""
        tokens = [token for line in read_lines(path) for token in line.split()]
        return sum(token.startswith("\u2581") for token in tokens) or len(tokens)

    def part_of_test(self):
        """Every tenth line: one at a time takes the peer a tenth of a second each."""
        made, test = self.path("one." + self.sizes.name), self.test()
        write_lines(made, read_lines(test)[::10])
        return made

    def one_line(self):
        made, test = self.path("line." + self.sizes.name), self.test()
        write_lines(made, read_lines(test)[:1])
        return made

    def fixed(self, name, count, words, length):
        """Both sides: `count` random lines of exactly `length` of `words` different words."""
        made = [self.path("%s.%s" % (name, side)) for side in ("src", "tgt")]
        for seed, path in enumerate(made):
            if not os.path.exists(path):
                write_lines(path, random_lines(seed + 1, count, words, lambda _: length))
        return made

    def short(self, source):
        """A target of one word for each line, so that a run is about its source."""
        made = source + ".short"
        if not os.path.exists(made):
            write_lines(made, ["w"] * len(read_lines(source)))
        return made

    # ---- Models

    def train_flags(self):
        source, target = self.pairs()
        s = self.sizes
        return ["--train-src", source, "--train-tgt", target, "--tokenizer", "spaces",
                "--normalize", "none", "--vocab-size", s.vocab, "--batch-sentences", s.batch,
                "--emb", s.emb, "--hidden", s.hidden]

    def model(self):
        """The model that translates: trained once, for long enough to end its sentences."""
        if self.given_model:
            return self.given_model
        made = self.path("%s.%s.safetensors" % (self.kind, self.sizes.name))
        if not os.path.exists(made + ".trained"):
            say("training %s: %d updates, once" % (made, self.sizes.model_updates))
            call([self.attend, "train", *self.train_flags(), "--model", made, "--resume",
                  "--max-updates", self.sizes.model_updates])
            write_lines(made + ".trained", ["its training is done"])
        return made

    def int8_model(self):
        """With a shortlist, counted from the training text by the model's own attention."""
        made, model = self.path("int8.safetensors"), self.model()
        if os.path.exists(made) and os.path.getmtime(made) > os.path.getmtime(model):
            return made
        source, target = self.pairs()
        say("making %s, with a shortlist from the training text" % made)
        call([self.attend, "convert", "--model", model, "--int8", "--src", source, "--tgt", target,
              "--output", made])
        return made
