#include "text/tokenizer.h"

#include <string.h>

#define ROW(name) &tokenizer_##name,
const struct tokenizer_ops *const tokenizers[TOKENIZER_COUNT] = {TOKENIZER_LIST(ROW)};
#undef ROW

const struct tokenizer_ops *tokenizer_find(const char *name)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++)
        if (strcmp(tokenizers[i]->name, name) == 0)
            return tokenizers[i];
    return NULL;
}
