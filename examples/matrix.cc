// Attention as data, from C++: print the matrix of each translation as tab-separated values.
//     matrix MODEL SENTENCE...
#include <attend/translate.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

// Objects of the library that are freed when they go out of scope.
using Model = std::unique_ptr<attend_model, decltype(&attend_model_free)>;
using Translator = std::unique_ptr<attend_translator, decltype(&attend_translator_free)>;

void check(attend_status status, const attend_error &err)
{
    if (status != ATTEND_OK)
        throw std::runtime_error(err.message);
}

Model load(const char *path)
{
    attend_error err;
    attend_model *model = nullptr;
    check(attend_model_load(&model, path, &err), err);
    return {model, attend_model_free};
}

Translator translator_of(const Model &model)
{
    attend_error err;
    attend_translator *translator = nullptr;
    const attend_model *const models[] = {model.get()};
    check(attend_translator_new(&translator, models, 1, nullptr, &err), err);
    return {translator, attend_translator_free};
}

// A translation with its words and the weights between them.
struct Attended {
    std::string text;
    std::vector<std::string> source, target;
    std::vector<float> weight; // (target, source), rows sum to 1
};

Attended translate(const Translator &translator, const char *sentence)
{
    attend_error err;
    attend_translation t;
    check(attend_translate(translator.get(), &sentence, 1, &t, &err), err);
    Attended a{
        t.text, {t.source, t.source + t.source_count}, {t.target, t.target + t.target_count}, {}};
    if (t.attention)
        a.weight.assign(t.attention, t.attention + a.source.size() * a.target.size());
    attend_translation_release(&t);
    return a;
}

void print(const Attended &a)
{
    std::printf("%s\n", a.text.c_str());
    for (const auto &word : a.source)
        std::printf("\t%s", word.c_str());
    for (std::size_t i = 0; i < a.target.size(); i++) {
        std::printf("\n%s", a.target[i].c_str());
        for (std::size_t j = 0; j < a.source.size() && !a.weight.empty(); j++)
            std::printf("\t%.3f", static_cast<double>(a.weight[i * a.source.size() + j]));
    }
    std::printf("\n");
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "matrix: usage: matrix MODEL SENTENCE...\n");
        return 1;
    }
    try {
        const Model model = load(argv[1]);
        const Translator translator = translator_of(model);
        for (int i = 2; i < argc; i++)
            print(translate(translator, argv[i]));
    } catch (const std::exception &wrong) {
        std::fprintf(stderr, "matrix: %s\n", wrong.what());
        return 1;
    }
    return 0;
}
