/* Documents: a text of many sentences becomes lines that a model can translate, and their
 * translations become the text again, with everything between them as it was. */
#ifndef ATTEND_DOCUMENT_H
#define ATTEND_DOCUMENT_H

#include "attend/markup.h"
#include "attend/model.h"
#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sentences ---- */

/** Gets the end of a sentence, in bytes from the start of the text. */
typedef void attend_sentence_fn(void *taker, size_t end);

/** Finds the sentences of a text. The library has no such function itself: the module
 * attend-sentences.so has ICU's, and a program may give its own. */
struct attend_sentences {
    /** Call `take` with the end of each sentence of a valid UTF-8 text, in order; the last end is
     * `length`. White space after a sentence belongs to it. `language` is a code such as "en";
     * NULL: not known. Returns false when out of memory. Calls never overlap. */
    bool (*find)(void *context, const char *language, const char *text, size_t length,
                 attend_sentence_fn *take, void *taker);
    void *context;
    void *reserved[2];
};

/** ICU's sentences, with its lists of abbreviations (`ss=standard`). These two functions are in the
 * module attend-sentences.so, not in libattend. Load the module with dlopen, or link it. */
ATTEND_API enum attend_status attend_icu_open(struct attend_sentences *out,
                                              struct attend_error *err);
ATTEND_API void attend_icu_close(struct attend_sentences *sentences);

/** How a text becomes lines. All zero: every line of the text is one. */
struct attend_splitting {
    const struct attend_sentences *sentences; /**< NULL: a line is one sentence */
    /** Gives the language, and the longest line: one with more tokens than any source in training
     * is cut, after punctuation if possible, else at a blank, and never inside a character. NULL:
     * no line is too long. */
    const struct attend_model *model;
    const char *language; /**< of the text; NULL: that of the model's source */
    void *reserved[2];
};

/** The lines to translate in a valid UTF-8 text, in order. They contain no line end and no white
 * space at either end; what is between them stays as it is. *cut, which may be NULL, is increased
 * by the number of sentences that were too long. Free *out with attend_array_free. */
ATTEND_API enum attend_status attend_split(struct attend_span **out, int *count, const char *text,
                                           size_t length, const struct attend_splitting *splitting,
                                           long *cut, struct attend_error *err);

/* ---- Documents ---- */

/** A kind of file. */
struct attend_document_format {
    const char *name;   /**< "text", "srt" ... */
    const char *ending; /**< of its files, such as ".srt" */
    const char *help;   /**< one line */
};
/** The i-th format; false past the last. */
ATTEND_API bool attend_document_format(int i, struct attend_document_format *out);
/** The name of the format of a file, by its ending (that of compression is ignored); NULL when no
 * format has it. */
ATTEND_API const char *attend_document_format_of(const char *path);

/** How a document is read. All zero: the format of its ending, lines as they are. */
struct attend_document_setup {
    const char *format;                /**< a name; NULL: by the ending */
    struct attend_splitting splitting; /**< what it points to must outlive the document */
    const char *source, *target;       /**< languages; NULL: those of splitting.model */
    bool overwrite;                    /**< also replace translations that the document has */
    void *reserved[4];
};

/** Gets the translated document, part by part. */
struct attend_sink {
    /** False: it cannot be written, and the rest is not wanted. */
    bool (*write)(void *context, const char *bytes, size_t length);
    void *context;
};

/** A document while it is translated: read some lines, translate them, write their translations,
 * and so on until no lines are left. Memory does not grow with the document, unless one unit of its
 * format (a line, a subtitle, a message, a whole HTML file) is large; one of more than 64 MiB is
 * ATTEND_DATA. */
struct attend_document;

/** What counts as markup in the lines of a document. Parse them by attend/markup.h, tolerantly, and
 * write what attend_markup_apply makes of their translations. */
ATTEND_API enum attend_tags attend_document_tags(const struct attend_document *document);

/** Open a file, or standard input when path is NULL or "-". The file may be compressed. An unknown
 * format is ATTEND_USAGE. */
ATTEND_API enum attend_status attend_document_open(struct attend_document **out, const char *path,
                                                   const struct attend_document_setup *setup,
                                                   struct attend_error *err);
/** The same for bytes in memory, which must outlive the document; `name` is their file name. */
ATTEND_API enum attend_status attend_document_open_bytes(struct attend_document **out,
                                                         const char *name, const char *bytes,
                                                         size_t size,
                                                         const struct attend_document_setup *setup,
                                                         struct attend_error *err);
ATTEND_API void attend_document_close(struct attend_document *document);
/** The name of the file in messages. */
ATTEND_API const char *attend_document_name(const struct attend_document *document);

/** Set *lines to the next lines to translate, at most `most`. They live until the next call. *count
 * is 0 at the end of the document, which is then completely written. A document that does not
 * follow its format is ATTEND_DATA; the message names its line. Bytes before the first line that
 * is not yet translated go to `sink`. Lines of HTML may contain line ends, which attend_markup_parse
 * takes as blanks. */
ATTEND_API enum attend_status attend_document_read(struct attend_document *document,
                                                   const struct attend_sink *sink, int most,
                                                   const char *const **lines, int *count,
                                                   struct attend_error *err);
/** The translations of the lines that were read last, in their order. */
ATTEND_API enum attend_status attend_document_write(struct attend_document *document,
                                                    const struct attend_sink *sink,
                                                    const char *const *translations,
                                                    struct attend_error *err);

/** What happened so far. */
struct attend_document_report {
    long cut;  /**< sentences that were longer than any source in training */
    long left; /**< texts left untranslated, because the translation lost their placeholders */
    void *reserved[2];
};
ATTEND_API struct attend_document_report
attend_document_report(const struct attend_document *document);

#ifdef __cplusplus
}
#endif

#endif
