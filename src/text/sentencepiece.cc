/* The tokenizer for subwords: SentencePiece learns the pieces from text. They are stored as the
 * bytes of a .model file. This is the only C++ file, because that library is C++; no exception
 * leaves it.
 *
 * A user's own .model may have other ids, control pieces and normalization rules than models
 * learned here; outside this file only the strings of its pieces matter.
 *
 * U+2581 stands for a blank within pieces, and a U+2581 in the text itself is read as a blank. */
extern "C" {
#include "base/error.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "text/subword_sampling.h"
#include "text/sentencepiece_check.h"
#include "text/tokenizer.h"
#include "text/vocab.h"
}

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

namespace
{

namespace sp = sentencepiece;

/* What sampling needs; created when the first segmentation is sampled. */
struct Sampler {
    std::once_flag made;
    bool possible = false, merges = false;
    std::unordered_map<std::string_view, float> score; // of each piece
    size_t longest = 0;                                // longest piece in bytes
};

struct Model {
    sp::SentencePieceProcessor processor;
    std::string bytes;               // the .model file
    std::vector<std::string> pieces; // pieces that can occur in text
    mutable Sampler sampler;
};

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

// ---- State ----

void collect_pieces(Model &m)
{
    for (int i = 0; i < m.processor.GetPieceSize(); i++) {
        const std::string &piece = m.processor.IdToPiece(i);
        const bool text =
            !m.processor.IsControl(i) && !m.processor.IsUnknown(i) && !m.processor.IsUnused(i);
        if (text && piece.find('\0') == std::string::npos)
            m.pieces.push_back(piece);
    }
}

enum attend_status load_bytes(void **state, std::string bytes, struct attend_error *err)
{
    const char *why = sentencepiece_check(bytes.data(), bytes.size());
    if (why)
        return error_set(err, ATTEND_FORMAT, "is no sound SentencePiece model: %s", why);
    bytes.resize(sentencepiece_check_drop_test(bytes.data(), bytes.size()));
    auto m = std::make_unique<Model>();
    m->bytes = std::move(bytes);
    const sp::util::Status status = m->processor.LoadFromSerializedProto(m->bytes);
    if (!status.ok())
        return error_set(err, ATTEND_FORMAT, "is not a SentencePiece model: %.200s",
                         status.error_message());
    collect_pieces(*m);
    *state = m.release();
    return ATTEND_OK;
}

enum attend_status load(void **state, const void *bytes, size_t length, struct attend_error *err)
try {
    return load_bytes(state, std::string(static_cast<const char *>(bytes), length), err);
} catch (...) {
    return caught(err);
}

void save(const void *state, const void **bytes, size_t *length)
{
    const Model *m = static_cast<const Model *>(state);
    *bytes = m->bytes.data();
    *length = m->bytes.size();
}

const char *piece_at(const void *state, int i)
{
    const Model *m = static_cast<const Model *>(state);
    return static_cast<size_t>(i) < m->pieces.size() ? m->pieces[i].c_str() : nullptr;
}

void free_state(void *state) { delete static_cast<Model *>(state); }

// ---- Use ----

constexpr std::string_view MARK = "\xE2\x96\x81"; // U+2581

/* A line in which spaces are the only blanks, as SentencePiece expects it. */
struct Spaced {
    std::string text;
    std::vector<size_t> marks; // positions of spaces that were U+2581, ascending

    Spaced(const char *line, size_t length) : text(line, length)
    {
        std::replace(text.begin(), text.end(), '\t', ' ');
        for (size_t at = 0; (at = text.find(MARK, at)) != std::string::npos; at++) {
            text.replace(at, MARK.size(), " ");
            marks.push_back(at);
        }
    }

    /* The position in the original line: every mark before it was longer than a space. */
    size_t given(size_t at) const
    {
        at = std::min(at, text.size());
        const auto before = std::lower_bound(marks.begin(), marks.end(), at) - marks.begin();
        return at + static_cast<size_t>(before) * (MARK.size() - 1);
    }
};

/* A piece and its position in the line. */
struct Piece {
    std::string text;
    size_t from, to;
};

void hand_over(const Piece &piece, tokenizer_piece_fn *emit, void *context)
{
    const tokenizer_piece out = {piece.text.data(), piece.text.size(), piece.from, piece.to};
    emit(context, &out);
}

/* False when SentencePiece rejects the line. */
bool encode(const Model &m, const Spaced &line, std::vector<Piece> *pieces)
{
    sp::ImmutableSentencePieceText encoded;
    if (!m.processor.Encode(line.text, encoded.mutable_proto()).ok())
        return false;
    for (const auto &piece : encoded.pieces()) {
        const size_t from = line.given(piece.begin());
        if (!piece.piece().empty())
            pieces->push_back({piece.piece(), from, std::max(from, line.given(piece.end()))});
    }
    return true;
}

bool split(const void *state, const char *text, size_t length, tokenizer_piece_fn *emit,
           void *context)
try {
    std::vector<Piece> pieces;
    if (!encode(*static_cast<const Model *>(state), Spaced(text, length), &pieces))
        return false;
    for (const Piece &piece : pieces)
        hand_over(piece, emit, context);
    return true;
} catch (...) {
    return false;
}

// ---- Sampling ----
//
// SentencePiece can sample too, but from a generator that each thread seeds only once, so a resumed
// run would sample other segmentations. We need only its scores.

void make_samples(const Model &m)
{
    Sampler &d = m.sampler;
    std::vector<std::string> pieces;
    std::vector<std::vector<std::string>> best;
    // The kind of a model shows only in what it supports: only unigram has n-best lists, and models
    // of words or characters cannot sample.
    d.merges = !m.processor.NBestEncode("a", 2, &best).ok();
    d.possible = m.processor.SampleEncode("a", 0, 0, &pieces).ok();
    for (int i = 0; i < m.processor.GetPieceSize(); i++) {
        if (m.processor.IsControl(i) || m.processor.IsUnknown(i) || m.processor.IsUnused(i) ||
            m.processor.IsByte(i))
            continue;
        const std::string &piece = m.processor.IdToPiece(i);
        d.score[piece] = m.processor.GetScore(i);
        d.longest = std::max(d.longest, piece.size());
    }
}

double score_of(const void *context, const char *piece, size_t length)
{
    const Sampler *d = static_cast<const Sampler *>(context);
    const auto found = d->score.find(std::string_view(piece, length));
    return found == d->score.end() ? static_cast<double>(NAN) : static_cast<double>(found->second);
}

/* Pieces [from, to) make up a word: emit sampled pieces, or the same ones if sampling fails.
 * Sampled pieces get the position of the whole word, because training does not need more. */
bool sample_word(const subword_rule &rule, uint64_t key, const std::vector<Piece> &pieces,
                 size_t from, size_t to, tokenizer_piece_fn *emit, void *context)
{
    std::string word;
    for (size_t i = from; i < to; i++)
        word += pieces[i].text;
    std::vector<size_t> end(word.size());
    const int count = subword_sample(&rule, key, word.data(), word.size(), end.data());
    size_t begin = 0;
    for (int i = 0; i < count; i++) {
        const tokenizer_piece sampled = {word.data() + begin, end[i] - begin, pieces[from].from,
                                         pieces[to - 1].to};
        emit(context, &sampled);
        begin = end[i];
    }
    for (size_t i = from; i < to && count == 0; i++)
        hand_over(pieces[i], emit, context);
    return count >= 0;
}

/* A word ends before a mark. A piece without a score, such as an unknown character, is a word of
 * its own. */
bool word_ends(const Sampler &d, const std::vector<Piece> &pieces, size_t at)
{
    return at == pieces.size() || pieces[at].text.compare(0, MARK.size(), MARK) == 0 ||
           !d.score.count(pieces[at].text) || !d.score.count(pieces[at - 1].text);
}

bool sample(const void *state, const char *text, size_t length,
            const struct tokenizer_sampling *sampling, tokenizer_piece_fn *emit, void *context)
try {
    const Model *m = static_cast<const Model *>(state);
    const Sampler &d = m->sampler;
    std::call_once(m->sampler.made, make_samples, std::cref(*m));
    if (!d.possible)
        return split(state, text, length, emit, context);
    std::vector<Piece> pieces;
    if (!encode(*m, Spaced(text, length), &pieces))
        return false;
    const subword_rule rule = {d.merges, sampling->alpha, score_of, &d, d.longest};
    bool good = true;
    for (size_t from = 0, to; from < pieces.size() && good; from = to) {
        for (to = from + 1; !word_ends(d, pieces, to);)
            to++;
        good = sample_word(rule, rng_key(sampling->key, from), pieces, from, to, emit, context);
    }
    return good;
} catch (...) {
    return false;
}

/* Where each piece ends in the decoded text; `start` is where that text begins in the output, and
 * last[i] the element of `all` that ends piece i. */
bool find_ends(const Model &m, const std::vector<std::string> &all, const std::vector<int> &last,
               size_t start, size_t *end)
{
    sp::ImmutableSentencePieceText decoded;
    if (!m.processor.Decode(all, decoded.mutable_proto()).ok() ||
        decoded.pieces_size() != all.size())
        return false;
    for (size_t i = 0; i < last.size(); i++)
        end[i] = start + decoded.pieces(last[i]).end();
    return true;
}

/* Whether a piece starts a word but is not one of the model's, such as a word in capitals that
 * text/letter_case.h has restored. The library would spell the mark as it is. */
bool is_foreign_word(const Model &m, std::string_view piece)
{
    return piece.size() > MARK.size() && piece.substr(0, MARK.size()) == MARK &&
           m.processor.IsUnknown(m.processor.PieceToId(piece)) &&
           !m.processor.IsUnknown(m.processor.PieceToId(MARK));
}

void join(const void *state, struct strbuf *out, const char *const *pieces, int count, size_t *end)
try {
    std::string text;
    const Model *m = static_cast<const Model *>(state);
    std::vector<std::string> all;
    std::vector<int> last;
    all.reserve(static_cast<size_t>(count));
    last.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; i++) {
        const bool foreign = is_foreign_word(*m, pieces[i]);
        if (foreign)
            all.emplace_back(MARK);
        all.emplace_back(pieces[i] + (foreign ? MARK.size() : 0));
        last.push_back(static_cast<int>(all.size()) - 1);
    }
    if (!m->processor.Decode(all, &text).ok() ||
        (end && !find_ends(*m, all, last, out->length, end)))
        out->failed = true;
    // Byte pieces can spell characters that a line must not contain.
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '\0', ' ');
    strbuf_add(out, text.data(), text.size());
} catch (...) {
    out->failed = true;
}

/* A single mark starts a word whose letters follow. */
enum tokenizer_place place(const char *before, const char *piece)
{
    return before && std::string_view(piece).substr(0, MARK.size()) != MARK ? TOKENIZER_CONTINUES
                                                                            : TOKENIZER_BEGINS;
}

// ---- Learning ----

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
        std::string line = std::move(Spaced(text, length).text);
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

enum attend_status learn(void **state, const struct tokenizer_walk *walk,
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
    return status ? status : load_bytes(state, std::move(bytes), err);
} catch (...) {
    return caught(err);
}

} // namespace

extern "C" {
extern const struct tokenizer_ops tokenizer_sentencepiece;
const struct tokenizer_ops tokenizer_sentencepiece = {
    "sentencepiece",
    "pieces are words and parts of words, learned from the text",
    split,
    join,
    place,
    learn,
    load,
    save,
    piece_at,
    free_state,
    sample,
};
}
