// libFuzzer target: the shipped models and every kernel function that uses them. Run by `make fuzz`.
//
// The first byte of the input selects the function, the second its options. The rest is a text, a page, a URL, bytes or a packed
// reading.
#include <algorithm>
#include <cmath>

#include "charset/encoding_ranking.hpp"
#include "charset/mojibake.hpp"
#include "fonts/convert.hpp"
#include "fuzz/check.hpp"
#include "fuzz/models.hpp"
#include "text/coverage.hpp"
#include "text/packed.hpp"
#include "url/features.hpp"

using namespace webtongue;

namespace {

struct Shipped {
    Memory text_file{read_model("text.wtm")}, url_file{read_model("url.wtu")}, byte_file{read_model("encodings.wtb")},
        font_file{read_model("fonts.wtf")};
    Model text{text_file.span()};
    UrlModel url{url_file.span()};
    ByteModel bytes{byte_file.span()};
    FontDetector fonts{font_file.span()};
    ToolBox tools_box{text, fonts};
    UrlClassifier classifier{url, FUZZ_SUFFIXES, FUZZ_CODES, {"mlt_Latn"}, {-9 * LOG_SCALE}, FUZZ_LIMITS};
};

const Shipped& shipped() {
    static const Shipped models;
    return models;
}

Outcome ranked(const Model& model, const Priors& priors, Span text, uint32_t limit, bool baseline) {
    Scorer::force_baseline(baseline);
    Scorer& scorer = local_scorer(model, 0);
    scorer.add(text, limit);
    Outcome out = scorer.rank(8, priors);
    Scorer::force_baseline(false);
    return out;
}

void fuzz_text(Span text, Byte options_byte) {
    const Shipped& s = shipped();
    const uint32_t limit = options_byte & 1 ? UINT32_MAX : 64;
    const Outcome avx2 = ranked(s.text, s.tools_box.priors, text, limit, false),
                  baseline_outcome = ranked(s.text, s.tools_box.priors, text, limit, true);
    check_guesses(s.text, avx2.guesses);
    CHECK(avx2.guesses.size() == baseline_outcome.guesses.size() && avx2.features == baseline_outcome.features &&
          avx2.unseen == baseline_outcome.unseen);
    for (size_t i = 0; i < avx2.guesses.size(); ++i)
        CHECK(avx2.guesses[i].label == baseline_outcome.guesses[i].label &&
              avx2.guesses[i].log_prob == baseline_outcome.guesses[i].log_prob);
    const Reading reading = read_text(s.text, text, s.tools_box.priors, &s.tools_box.policy, 1 + options_byte % 16);
    check_reading(s.text, reading, text.size());
    check_decision(s.text, decide(s.text, s.tools_box.priors, s.tools_box.policy, reading));
    check_packed(s.tools_box, {reading, {}}, options_byte);
    if (avx2.guesses.empty()) return;
    CoverageReader coverage(s.text, avx2.guesses.front().label, options_byte & 3);
    coverage.add(text);
    const Coverage& result = coverage.counts();
    CHECK(result.ngrams_known <= result.ngrams && result.ngrams_distinctive <= result.ngrams_known && result.words_known <= result.words &&
          result.negative <= result.features);
}

void fuzz_page(Span page, Byte options_byte) {
    const Shipped& s = shipped();
    FlowOptions options;
    options.media = static_cast<Media>(options_byte % 6);
    options.scannable = options_byte & 0x10;
    options.text = options_byte & 0x20;
    options.declarations = options_byte & 0x40;
    Analysis result = analyse(page, options, s.tools_box.tools);
    CHECK(result.scan.text_size <= page.size() + page.size() / 4 + 64);
    if (result.stop == Stop::done) {
        check_reading(s.text, result.read.reading, page.size());
        check_decision(s.text, result.read.decision);
        check_packed(s.tools_box, result.read, options_byte);
        check_with_hints(s.tools_box, result.scan, page.size(), options_byte);
    } else if (result.stop == Stop::encoding) {
        const Reading reading = read_text(s.text, text_of(result.scan), s.tools_box.priors, nullptr, 4);
        check_guesses(s.text, reading.guesses);
    }
}

void fuzz_url(Span url, Byte options_byte) {
    const Shipped& s = shipped();
    const std::string_view text(reinterpret_cast<const char*>(url.begin), url.size());
    std::vector<int32_t> offsets(s.classifier.label_count(), 0);
    for (size_t k = 0; k < offsets.size(); ++k)
        if (options_byte >> (k % 8) & 1) offsets[k] = k % 2 ? URL_IMPOSSIBLE : -3000;
    UrlOutcome result;
    s.classifier.rank(text, {offsets.data(), -2048}, 1 + options_byte % URL_LABELS, result);
    CHECK(result.count <= s.classifier.label_count());
    std::vector<int32_t> evidence(URL_PARTS * s.url.label_count());
    s.url.part_evidence(text, s.classifier.tables(), evidence.data());
    UrlFeatures features;
    url_features(text, s.classifier.tables(), features);
    s.classifier.shape_evidence(features, evidence.data());
    for (uint32_t i = 0; i < result.count; ++i) {
        CHECK(result.guesses[i].label < s.classifier.label_count() && result.guesses[i].log_prob <= 0);
        CHECK(i == 0 || result.guesses[i].log_prob <= result.guesses[i - 1].log_prob);
    }
    CHECK(features.count >= 0 && features.count <= MAX_URL_FEATURES && features.text_count <= features.count);
    CHECK(features.mention_count <= MAX_URL_MENTIONS);
    CHECK(s.classifier.tables().suffixes.find(text) <= text.size());
}

void fuzz_encoding(Span text, Byte options_byte) {
    const Shipped& s = shipped();
    std::vector<int32_t> offsets(s.bytes.class_count(), 0);
    for (size_t k = 0; k < offsets.size(); ++k)
        if (options_byte >> (k % 8) & 1) offsets[k] = k % 3 ? -5000 : IMPOSSIBLE_LOG;
    const Detection result = detect(s.bytes, text, offsets.data(), 1 + options_byte % 8);
    double sum = 0;
    for (const EncodingGuess& guess : result.guesses) {
        CHECK(guess.encoding < s.bytes.class_count() && guess.log_prob <= 0);
        sum += std::exp(guess.log_prob / double{LOG_SCALE});
    }
    CHECK(sum < 1.01 && result.high <= text.size());
    looks_like_mojibake(text);
}

// A small font with a glyph of each kind: any input becomes UTF-8 with the same number of lines.
void fuzz_font(Span text, Byte options_byte) {
    const Shipped& s = shipped();
    std::string places(0x80, '\0');
    for (int c = 0x15; c < 0x3A; ++c) places[c] = static_cast<char>(SyllableRole::consonant);
    for (int c = 0x3E; c < 0x4D; ++c) places[c] = static_cast<char>(static_cast<int>(SyllableRole::mark) + 8 * (c & 3));
    places[0x4D] = static_cast<char>(SyllableRole::joiner);
    static const Font font({{U"f", U"\u093F", Glyph::pre, U""},
                            {U"Z", U"\u0930\u094D", Glyph::reph, U"\u0902"},
                            {U"z", U"\u094D\u0930", Glyph::sub, U""},
                            {U"H", U"\u092D\u094D", Glyph::plain, U""},
                            {U"Hk", U"\u092D", Glyph::plain, U""},
                            {U"k", U"\u093E", Glyph::plain, U""}},
                           {{U"\u094D\u093E", U"", Glyph::plain, U""}}, {0x0900, places, true});
    const std::string out = font.convert(text);
    CHECK(std::count(out.begin(), out.end(), '\n') == std::count(text.begin, text.end, '\n'));
    CHECK(check_utf8(span_of(out)).errors == 0);
    s.fonts.may_have_font(text);
    const std::vector<LineFont> lines = s.fonts.lines(text, options_byte);
    CHECK(lines.size() == static_cast<size_t>(std::count(text.begin, text.end, '\n')) + 1);
    for (const LineFont& line : lines) CHECK(line.font < s.fonts.names().size());
}

// Any bytes are refused as a reading, or give one that can be decided on with any hints.
void fuzz_packed(Span bytes, Byte options_byte) {
    const Shipped& s = shipped();
    DecidedReading read;
    if (!unpack_reading(bytes, s.text, read.reading)) return;
    read.decision = decide(s.text, s.tools_box.priors, s.tools_box.policy, read.reading);
    check_decision(s.text, read.decision);
    check_packed(s.tools_box, read, options_byte);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    const std::vector<Byte> copy = copy_bytes(data + 2, size - 2);
    void (*const targets[])(Span, Byte) = {fuzz_text, fuzz_page, fuzz_url, fuzz_encoding, fuzz_font, fuzz_packed};
    targets[data[0] % 6](span_of(copy), data[1]);
    return 0;
}
