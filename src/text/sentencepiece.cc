/* The tokenizer for subwords: pieces are learned from the text (SentencePiece does it) and kept as
 * the bytes of a .model file. The one file in C++, because that library is; no exception leaves it.
 *
 * What a user brings along as a .model may have other ids, control pieces and rules of normalising
 * than what is learned here: only the strings of its pieces matter outside.
 *
 * A blank is U+2581 within pieces, and a U+2581 of the text itself is a blank. */
extern "C" {
#include "base/error.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "text/segment.h"
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

/* What drawing segmentations needs, made when the first one is drawn. */
struct Draws {
    std::once_flag made;
    bool possible = false, merges = false;
    std::unordered_map<std::string_view, float> score; // of each piece
    size_t longest = 0;                                // piece, in bytes
};

struct Model {
    sp::SentencePieceProcessor processor;
    std::string bytes;               // what it was loaded from
    std::vector<std::string> pieces; // those that text can become
    mutable Draws draws;
};

/* What went wrong, for the exception that is being handled. */
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
        return error_set(err, ATTEND_FORMAT, "is no SentencePiece model: %.200s",
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

/* A line with the space as the only blank, as SentencePiece wants it. */
struct Spaced {
    std::string text;
    std::vector<size_t> marks; // which of its spaces were marks, in ascending order

    Spaced(const char *line, size_t length) : text(line, length)
    {
        std::replace(text.begin(), text.end(), '\t', ' ');
        for (size_t at = 0; (at = text.find(MARK, at)) != std::string::npos; at++) {
            text.replace(at, MARK.size(), " ");
            marks.push_back(at);
        }
    }

    /* The position in the line: every mark before it was longer than its space. */
    size_t given(size_t at) const
    {
        at = std::min(at, text.size());
        const auto before = std::lower_bound(marks.begin(), marks.end(), at) - marks.begin();
        return at + static_cast<size_t>(before) * (MARK.size() - 1);
    }
};

/* A piece and its place in the line. */
struct Piece {
    std::string text;
    size_t from, to;
};

void hand_over(const Piece &piece, tokenizer_piece_fn *emit, void *context)
{
    const tokenizer_piece out = {piece.text.data(), piece.text.size(), piece.from, piece.to};
    emit(context, &out);
}

/* False when SentencePiece refuses the line. */
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

// ---- Drawing ----
//
// SentencePiece can draw too, but from a generator that a thread seeds once in its life, so that a
// training could not be gone on with. Its scores are all that is needed.

void make_draws(const Model &m)
{
    Draws &d = m.draws;
    std::vector<std::string> pieces;
    std::vector<std::vector<std::string>> best;
    // The kind of a model shows only in what it can do: unigram alone knows the second best, and
    // models of words or characters know no other.
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
    const Draws *d = static_cast<const Draws *>(context);
    const auto found = d->score.find(std::string_view(piece, length));
    return found == d->score.end() ? static_cast<double>(NAN) : static_cast<double>(found->second);
}

/* Pieces [from, to) make up a word: emit others, or them when there are no others. What is drawn
 * has the place of its word: nobody asks for more in training. */
bool sample_word(const segment_rule &rule, uint64_t key, const std::vector<Piece> &pieces,
                 size_t from, size_t to, tokenizer_piece_fn *emit, void *context)
{
    std::string word;
    for (size_t i = from; i < to; i++)
        word += pieces[i].text;
    std::vector<size_t> end(word.size());
    const int count = segment_draw(&rule, key, word.data(), word.size(), end.data());
    size_t begin = 0;
    for (int i = 0; i < count; i++) {
        const tokenizer_piece drawn = {word.data() + begin, end[i] - begin, pieces[from].from,
                                       pieces[to - 1].to};
        emit(context, &drawn);
        begin = end[i];
    }
    for (size_t i = from; i < to && count == 0; i++)
        hand_over(pieces[i], emit, context);
    return count >= 0;
}

/* A word ends before a mark; a piece that has no score, such as an unknown character, is one. */
bool word_ends(const Draws &d, const std::vector<Piece> &pieces, size_t at)
{
    return at == pieces.size() || pieces[at].text.compare(0, MARK.size(), MARK) == 0 ||
           !d.score.count(pieces[at].text) || !d.score.count(pieces[at - 1].text);
}

bool sample(const void *state, const char *text, size_t length, const struct tokenizer_draw *draw,
            tokenizer_piece_fn *emit, void *context)
try {
    const Model *m = static_cast<const Model *>(state);
    const Draws &d = m->draws;
    std::call_once(m->draws.made, make_draws, std::cref(*m));
    if (!d.possible)
        return split(state, text, length, emit, context);
    std::vector<Piece> pieces;
    if (!encode(*m, Spaced(text, length), &pieces))
        return false;
    const segment_rule rule = {d.merges, draw->alpha, score_of, &d, d.longest};
    bool good = true;
    for (size_t from = 0, to; from < pieces.size() && good; from = to) {
        for (to = from + 1; !word_ends(d, pieces, to);)
            to++;
        good = sample_word(rule, rng_key(draw->key, from), pieces, from, to, emit, context);
    }
    return good;
} catch (...) {
    return false;
}

void join(const void *state, struct strbuf *out, const char *const *pieces, int count)
try {
    std::string text;
    const Model *m = static_cast<const Model *>(state);
    const std::vector<std::string> all(pieces, pieces + count);
    if (!m->processor.Decode(all, &text).ok())
        out->failed = true;
    // Pieces that stand for single bytes can spell what no line holds.
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '\0', ' ');
    strbuf_add(out, text.data(), text.size());
} catch (...) {
    out->failed = true;
}

/* The mark alone is a word of which only the blank is known so far. */
enum tokenizer_place place(const char *before, const char *piece)
{
    return before && std::string_view(piece).substr(0, MARK.size()) != MARK ? TOKENIZER_CONTINUES
                                                                            : TOKENIZER_BEGINS;
}

// ---- Learning ----

struct Lesson {
    std::vector<std::string> lines;
    std::vector<long> characters; // how often each occurs, the most frequent first
};

bool is_blank_line(const std::string &line)
{
    return line.find_first_not_of(' ') == std::string::npos;
}

/* Every line that is not blank, and the characters in them. */
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
        seen[" "]++; // the first word has one, too
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

/* Characters, the most frequent first, that make up this part of the text. */
int characters_within(const Lesson &lesson, double part)
{
    double all = 0, sum = 0;
    for (long count : lesson.characters)
        all += static_cast<double>(count);
    size_t needed = 0;
    while (needed < lesson.characters.size() && sum < part * all)
        sum += static_cast<double>(lesson.characters[needed++]);
    return static_cast<int>(needed); // there are no more than Unicode has
}

/* A small alphabet is kept whole; of a large one, characters too rare to be learned are left out,
 * and more of them when the vocabulary is small. SentencePiece takes no less than the last. */
const double COVERAGES[] = {1.0, 0.9995, 0.995, 0.98};

/* The part of the text whose characters get a piece each; 0 when the vocabulary has no room. */
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
    const std::unordered_map<std::string, std::string> settings = {
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
