// The checks of a text beside its score. Each can be switched off, so that bench/checks.py can measure what it costs and what it is good
// for.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace webtongue {

enum class Check : uint32_t {
    debris,            // URLs, markup and placeholders of templates are masked
    code,              // source code beside text is masked
    placeholder,       // "Lorem ipsum" beside text is masked
    noise,             // numbers, symbols, repeated blocks and consent banners are marked
    fonts,             // text written for legacy fonts
    mojibake,          // text decoded in a wrong encoding
    junk,              // code, lists and data as a whole
    unknown_language,  // languages that the model lacks
    look_alikes,       // decisive features of similar languages
    script,            // implausible text in a script of one language
    running_words,     // consecutive words, without which an answer is not reliable
    names,             // names without a language
    chunks,            // parts of a page that differ from the whole are read in full
    count
};
constexpr const char* CHECK_NAMES[] = {"debris",           "code",        "placeholder", "noise",         "fonts", "mojibake", "junk",
                                       "unknown_language", "look_alikes", "script",      "running_words", "names", "chunks"};
static_assert(sizeof(CHECK_NAMES) / sizeof(*CHECK_NAMES) == static_cast<size_t>(Check::count), "one name for each check");

inline std::atomic<uint32_t> disabled_checks{0};

inline bool is_enabled(Check check) { return !(disabled_checks.load(std::memory_order_relaxed) >> static_cast<uint32_t>(check) & 1); }

}  // namespace webtongue
