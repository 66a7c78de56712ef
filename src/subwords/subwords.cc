// This is the only C++ file, because SentencePiece is C++; no exception leaves it.
#include "attend/subwords.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <unordered_map>

#include <sentencepiece_trainer.h>

namespace
{

namespace sp = sentencepiece;

enum attend_status fail(struct attend_error *err, enum attend_status status, const char *what,
                        const char *why = "")
{
    if (err) {
        *err = attend_error();
        err->status = status;
        std::snprintf(err->message, sizeof err->message, "%s%.200s", what, why);
    }
    return status;
}

/* Converts the exception being handled into a status and a message. */
enum attend_status caught(struct attend_error *err)
{
    try {
        throw;
    } catch (const std::bad_alloc &) {
        return fail(err, ATTEND_NO_MEMORY, "out of memory for subwords");
    } catch (const std::exception &e) {
        return fail(err, ATTEND_FORMAT, "SentencePiece: ", e.what());
    } catch (...) {
        return fail(err, ATTEND_FORMAT, "SentencePiece failed");
    }
}

class Lines final : public sp::SentenceIterator
{
  public:
    explicit Lines(const struct attend_subwords_lesson *lesson) : lesson_(lesson) { Next(); }
    bool done() const override { return done_; }
    void Next() override
    {
        const char *line;
        size_t length;
        done_ = !lesson_->next(lesson_->context, &line, &length);
        if (!done_)
            line_.assign(line, length);
    }
    const std::string &value() const override { return line_; }
    sp::util::Status status() const override { return sp::util::Status(); }

  private:
    const struct attend_subwords_lesson *lesson_;
    std::string line_;
    bool done_ = false;
};

std::unordered_map<std::string, std::string>
settings_of(const struct attend_subwords_lesson *lesson)
{
    std::unordered_map<std::string, std::string> settings = {
        {"model_type", lesson->method},
        {"vocab_size", std::to_string(lesson->vocab_size)},
        {"hard_vocab_limit", "false"},
        {"character_coverage", std::to_string(lesson->coverage)},
        {"normalization_rule_name", "identity"},
        {"max_sentence_length", "1000000"},
        {"unk_id", "0"},
        {"bos_id", "1"},
        {"eos_id", "2"},
        {"pad_id", "-1"},
        {"unk_surface", "<unk>"},
        {"num_threads", "1"},
        {"minloglevel", "4"},
    };
    std::string symbols;
    for (const char *const *s = lesson->symbols; s && *s; s++)
        symbols += (symbols.empty() ? "" : ",") + std::string(*s);
    if (!symbols.empty())
        settings["user_defined_symbols"] = symbols;
    return settings;
}

} // namespace

enum attend_status attend_subwords_learn(const struct attend_subwords_lesson *lesson, void **model,
                                         size_t *length, struct attend_error *err)
try {
    Lines lines(lesson);
    std::string bytes;
    const sp::util::Status status =
        sp::SentencePieceTrainer::Train(settings_of(lesson), &lines, &bytes);
    if (!status.ok())
        return fail(err, ATTEND_DATA,
                    "subwords cannot be learned from this text: ", status.error_message());
    void *copy = std::malloc(bytes.size()); // a model is never empty
    if (!copy)
        return fail(err, ATTEND_NO_MEMORY, "out of memory for subwords");
    bytes.copy(static_cast<char *>(copy), bytes.size());
    *model = copy;
    *length = bytes.size();
    return ATTEND_OK;
} catch (...) {
    return caught(err);
}
