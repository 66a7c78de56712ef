extern "C" {
#include "sentencepiece_reference.h"
}

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

namespace sp = sentencepiece;

struct reference {
    sp::SentencePieceProcessor processor;
};

namespace
{

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

class Lines : public sp::SentenceIterator
{
  public:
    explicit Lines(const struct tokenizer_walk *walk) : walk_(walk) { Next(); }
    bool done() const override { return done_; }
    void Next() override
    {
        const char *text;
        size_t length;
        done_ = !walk_->next(walk_->context, &text, &length);
        if (!done_)
            line_ = Spaced(text, length).text;
    }
    const std::string &value() const override { return line_; }
    sp::util::Status status() const override { return sp::util::Status(); }

  private:
    const struct tokenizer_walk *walk_;
    std::string line_;
    bool done_ = false;
};

/* A word that is not one of the model's, whose mark is a piece of its own. */
bool is_foreign_word(const sp::SentencePieceProcessor &m, std::string_view piece)
{
    return piece.size() > MARK.size() && piece.substr(0, MARK.size()) == MARK &&
           m.IsUnknown(m.PieceToId(piece)) && !m.IsUnknown(m.PieceToId(MARK));
}

} // namespace

bool reference_learn(struct strbuf *model, const struct tokenizer_walk *walk,
                     const char *const *settings)
{
    std::unordered_map<std::string, std::string> map = {{"minloglevel", "4"}};
    for (; *settings; settings += 2)
        map[settings[0]] = settings[1];
    Lines lines(walk);
    std::string bytes;
    const bool good = sp::SentencePieceTrainer::Train(map, &lines, &bytes).ok();
    strbuf_add(model, bytes.data(), bytes.size());
    return good;
}

struct reference *reference_load(const void *model, size_t length)
{
    auto r = std::make_unique<reference>();
    const std::string_view bytes(static_cast<const char *>(model), length);
    return r->processor.LoadFromSerializedProto(bytes).ok() ? r.release() : nullptr;
}

void reference_free(struct reference *r) { delete r; }

bool reference_split(const struct reference *r, const char *text, size_t length,
                     tokenizer_piece_fn *emit, void *context)
{
    const Spaced line(text, length);
    sp::ImmutableSentencePieceText encoded;
    if (!r->processor.Encode(line.text, encoded.mutable_proto()).ok())
        return false;
    for (const auto &piece : encoded.pieces()) {
        const size_t from = line.given(piece.begin());
        const tokenizer_piece out = {piece.piece().data(), piece.piece().size(), from,
                                     std::max(from, line.given(piece.end()))};
        if (out.length)
            emit(context, &out);
    }
    return true;
}

bool reference_join(const struct reference *r, struct strbuf *out, const char *const *pieces,
                    int count, size_t *end)
{
    std::vector<std::string> all;
    std::vector<int> last;
    for (int i = 0; i < count; i++) {
        const bool foreign = is_foreign_word(r->processor, pieces[i]);
        if (foreign)
            all.emplace_back(MARK);
        all.emplace_back(pieces[i] + (foreign ? MARK.size() : 0));
        last.push_back(static_cast<int>(all.size()) - 1);
    }
    sp::ImmutableSentencePieceText decoded;
    if (!r->processor.Decode(all, decoded.mutable_proto()).ok())
        return false;
    for (int i = 0; i < count; i++)
        end[i] = out->length + decoded.pieces(last[static_cast<size_t>(i)]).end();
    std::string text = decoded.text();
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '\0', ' ');
    strbuf_add(out, text.data(), text.size());
    return true;
}
