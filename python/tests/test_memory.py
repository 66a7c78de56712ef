"""Arrays are the library's memory: not copied, valid as long as they are used, and freed afterwards."""
import gc
import resource
import threading

import numpy as np
import pytest

import attend
from attend._attend import ffi, lib
from attend.markup import Markup
from attend.translator import Constraint, Translator
from conftest import GOLDEN


def test_attention_shares_memory_with_the_translation(model):
    translation = model.translate("a b c")
    assert np.shares_memory(translation.attention, translation.attention)
    address = int(ffi.cast("uintptr_t", translation._struct.attention))
    assert translation.attention.__array_interface__["data"] == (address, True)
    with pytest.raises(ValueError, match="read-only"):
        translation.attention[0, 0] = 1


def test_arrays_outlive_translation_and_model():
    model = attend.load(GOLDEN)
    attention = model.translate("a b c", nbest=3).alternatives[1].attention
    values = model.explain("a b c").values["leave-one-out"]
    wanted = attention.copy(), values.copy()
    del model
    gc.collect()
    for _ in range(50):  # memory that was freed would be overwritten
        attend.load(GOLDEN).translate("h g f e d c b a")
    np.testing.assert_array_equal(attention, wanted[0])
    np.testing.assert_array_equal(values, wanted[1])


def test_a_translator_keeps_its_model():
    translations = attend.load(GOLDEN).translate(iter(["a b", "c d"]), block=1)
    gc.collect()
    assert [t.text for t in translations] == ["b a", "d c"]


def test_many_calls_do_not_leak(model):
    def work():
        for _ in range(200):
            for translation in model.translate(["a b c d e"] * 8, nbest=4):
                translation.attention.sum()
                translation.alternatives[0].words()
            model.score("a b", "b a")
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = work()
    assert work() - before < 2000  # kilobytes; one leaked attention a translation would be about 5 MB


def test_failures_do_not_leak_translators(model):
    for _ in range(20):
        with pytest.raises(attend.DataError):
            model.translate(["a\nb"])
    assert len(model._idle) <= 4


def test_threads_share_a_model(lines):
    model = attend.load(GOLDEN)
    wanted = [t.text for t in model.translate(lines, threads=1)]
    found = {}

    def work(i):
        found[i] = [t.text for t in model.translate(lines, threads=1)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i] for i in range(6)] == [wanted] * 6
    assert len(model._idle) <= 4


class Asked:
    """What `attend_python_stop` asks, and the threads that ask."""

    def __init__(self):
        self.threads = set()

    @property
    def stopping(self):
        self.threads.add(threading.get_ident())
        return False


def test_other_threads_run_python_while_the_library_works(model):
    """The library's workers call Python during a search: they would wait for ever if the call held Python's lock."""
    asked = Asked()
    handle = ffi.new_handle(asked)
    stop = ffi.new("struct attend_stop *", (lib.attend_python_stop, handle))
    translator = Translator(model, {"threads": 2, "batch_sentences": 4})
    lib.attend_translator_stop(translator.handle, stop)
    translator.lines(model, ["a b c d e"] * 2000, Constraint(), Markup(model.handle))
    assert asked.threads - {threading.get_ident()}
