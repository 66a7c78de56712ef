/* SentencePiece learns subwords. This is the only C++ file, because that library is C++; no exception
 * leaves it. */
extern "C" {
#include "text/sentencepiece_learn.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/tokenizer.h"
#include "text/vocab.h"
}

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sentencepiece_trainer.h>

namespace
{

namespace sp = sentencepiece;

/* Converts the exception being handled into a status and a message. */
enum attend_status caught(struct attend_error *err)
{
    try {
        throw;
    } catch (const std::bad_alloc &) {
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for subwords");
    } catch (const std::exception &e) {
        return error_set(err, ATTEND_FORMAT, "SentencePiece: %.200s", e.what());
    } catch (...) {
        return error_set(err, ATTEND_FORMAT, "SentencePiece failed");
    }
}

/* A line in which spaces are the only blanks, as SentencePiece expects it. */
std::string spaced(const char *line, size_t length)
{
    static const std::string_view mark = "\xE2\x96\x81"; /* U+2581 */
    std::string text(line, length);
    std::replace(text.begin(), text.end(), '\t', ' ');
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at++)
        text.replace(at, mark.size(), " ");
    return text;
}

struct Lesson {
    std::vector<std::string> lines;
    std::vector<long> characters; // frequencies, in descending order
};

bool is_blank_line(const std::string &line)
{
    return line.find_first_not_of(' ') == std::string::npos;
}

/* All lines that are not blank, and their characters. */
Lesson read_lesson(const struct tokenizer_walk *walk)
{
    Lesson lesson;
    std::unordered_map<std::string_view, long> seen;
    const char *text;
    size_t length;
    while (walk->next(walk->context, &text, &length)) {
        std::string line = spaced(text, length);
        if (!is_blank_line(line))
            lesson.lines.push_back(std::move(line));
    }
    for (const std::string &line : lesson.lines) {
        seen[" "]++; // the first word gets one, too
        for (size_t at = 0, bytes; at < line.size(); at += bytes) {
            bool in_word;
            bytes = utf8_point(line.data() + at, line.size() - at, &in_word);
            seen[std::string_view(line).substr(at, bytes)]++;
        }
    }
    for (const auto &character : seen)
        lesson.characters.push_back(character.second);
    std::sort(lesson.characters.rbegin(), lesson.characters.rend());
    return lesson;
}

/* The number of characters, most frequent first, that cover this part of the text. */
int characters_within(const Lesson &lesson, double part)
{
    double all = 0, sum = 0;
    for (long count : lesson.characters)
        all += static_cast<double>(count);
    size_t needed = 0;
    while (needed < lesson.characters.size() && sum < part * all)
        sum += static_cast<double>(lesson.characters[needed++]);
    return static_cast<int>(needed); // at most as many as Unicode has
}

/* A small alphabet is kept complete. Of a large one, rare characters are left out, and more of them
 * when the vocabulary is small. SentencePiece accepts no coverage below the last. */
const double COVERAGES[] = {1.0, 0.9995, 0.995, 0.98};

/* The part of the text whose characters get a piece each; 0 when the vocabulary is too small. */
double choose_coverage(const Lesson &lesson, int size)
{
    for (double coverage : COVERAGES) {
        const int room = (size - VOCAB_SPECIALS) / (coverage == 1.0 ? 4 : 2);
        if (characters_within(lesson, coverage) <= room)
            return coverage;
    }
    return 0;
}

class Lines : public sp::SentenceIterator
{
  public:
    explicit Lines(const std::vector<std::string> &lines) : lines_(lines) {}
    bool done() const override { return at_ >= lines_.size(); }
    void Next() override { at_++; }
    const std::string &value() const override { return lines_[at_]; }
    sp::util::Status status() const override { return sp::util::Status(); }

  private:
    const std::vector<std::string> &lines_;
    size_t at_ = 0;
};

enum attend_status train(std::string *bytes, const Lesson &lesson,
                         const struct tokenizer_lesson *how, double coverage,
                         struct attend_error *err)
{
    Lines lines(lesson.lines);
    std::string symbols; // no symbol has a comma
    for (const char *const *s = how->symbols; s && *s; s++)
        symbols += (symbols.empty() ? "" : ",") + std::string(*s);
    std::unordered_map<std::string, std::string> settings = {
        {"model_type", how->method},
        {"vocab_size", std::to_string(how->vocab_size)},
        {"hard_vocab_limit", "false"},
        {"character_coverage", std::to_string(coverage)},
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
    if (!symbols.empty())
        settings["user_defined_symbols"] = symbols;
    const sp::util::Status status = sp::SentencePieceTrainer::Train(settings, &lines, bytes);
    if (status.ok())
        return ATTEND_OK;
    return error_set(err, ATTEND_DATA, "subwords cannot be learned from this text: %.200s",
                     status.error_message());
}

} // namespace

enum attend_status sentencepiece_learn(struct strbuf *model, const struct tokenizer_walk *walk,
                                       const struct tokenizer_lesson *how, struct attend_error *err)
try {
    const Lesson lesson = read_lesson(walk);
    if (lesson.lines.empty())
        return error_set(err, ATTEND_DATA, "there is no text to learn subwords from");
    const double coverage = choose_coverage(lesson, how->vocab_size);
    if (coverage == 0)
        return error_set(err, ATTEND_USAGE,
                         "a vocabulary of %d is too small for subwords of this text; ask for %d "
                         "or more, or split it into characters",
                         how->vocab_size,
                         2 * characters_within(lesson, COVERAGES[3]) + VOCAB_SPECIALS);
    std::string bytes;
    const enum attend_status status = train(&bytes, lesson, how, coverage, err);
    if (status)
        return status;
    strbuf_add(model, bytes.data(), bytes.size());
    return strbuf_status(model, err);
} catch (...) {
    return caught(err);
}
