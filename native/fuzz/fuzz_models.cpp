// libFuzzer target: the shipped models, and every kernel function that reads with them. Run by `make fuzz`.
//
// The first byte of the input chooses what is read, the second how; the rest is a text, a page, an address, bytes or a packed reading.
#include <algorithm>
#include <cmath>

#include "coding/encoding_contest.hpp"
#include "coding/misread.hpp"
#include "fonts/convert.hpp"
#include "fuzz/models.hpp"
#include "fuzz/must.hpp"
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
    FontGuess fonts{font_file.span()};
    ToolBox box{text, fonts};
    UrlTables tables{Suffixes("com\nco.uk\n*.ck\n!www.ck\nde\n"), UrlNames("de\tdeu\tcode\nfrench\tfra\tenglish\nрусский\trus\tnative\n")};
};

const Shipped& shipped() {
    static const Shipped models;
    return models;
}

Outcome ranked(const Model& model, const Priors& priors, Span text, uint32_t limit, bool baseline) {
    Scorer::force_baseline(baseline);
    Scorer& scorer = local_scorer(model, 0);
    scorer.add(reinterpret_cast<const char*>(text.begin), text.size(), limit);
    Outcome out = scorer.rank(8, priors);
    Scorer::force_baseline(false);
    return out;
}

void fuzz_text(Span text, Byte how) {
    const Shipped& s = shipped();
    const uint32_t limit = how & 1 ? UINT32_MAX : 64;
    const Outcome wide = ranked(s.text, s.box.priors, text, limit, false), plain = ranked(s.text, s.box.priors, text, limit, true);
    check_guesses(s.text, wide.guesses);
    MUST(wide.guesses.size() == plain.guesses.size() && wide.features == plain.features && wide.unseen == plain.unseen);
    for (size_t i = 0; i < wide.guesses.size(); ++i)
        MUST(wide.guesses[i].label == plain.guesses[i].label && wide.guesses[i].log_prob == plain.guesses[i].log_prob);
    const Reading reading = read_text(s.text, text, s.box.priors, &s.box.policy, 1 + how % 16);
    check_reading(s.text, reading, text.size());
    check_decision(s.text, decide(s.text, s.box.priors, s.box.policy, reading));
    check_packed(s.box, {reading, {}}, how);
    if (wide.guesses.empty()) return;
    CoverageReader coverage(s.text, wide.guesses.front().label, how & 3);
    coverage.add(reinterpret_cast<const char*>(text.begin), text.size());
    const Coverage& found = coverage.counts();
    MUST(found.known <= found.grams && found.well <= found.known && found.words_known <= found.words && found.against <= found.features);
}

void fuzz_page(Span page, Byte how) {
    const Shipped& s = shipped();
    FlowOptions options;
    options.media = static_cast<Media>(how % 6);
    options.scannable = how & 0x10;
    options.text = how & 0x20;
    options.claims = how & 0x40;
    Analysis found = analyse(page, options, s.box.tools);
    MUST(found.scan.text_size <= page.size() + page.size() / 4 + 64);
    if (found.stop == Stop::done) {
        check_reading(s.text, found.read.reading, page.size());
        check_decision(s.text, found.read.decision);
        check_packed(s.box, found.read, how);
        check_hinted(s.box, found.scan, page.size(), how);
    } else if (found.stop == Stop::coding) {
        const Reading reading = read_text(s.text, text_of(found.scan), s.box.priors, nullptr, 4);
        check_guesses(s.text, reading.guesses);
    }
}

void fuzz_url(Span url, Byte how) {
    const Shipped& s = shipped();
    const std::string_view text(reinterpret_cast<const char*>(url.begin), url.size());
    std::vector<int32_t> offsets(s.url.label_count(), 0);
    for (size_t k = 0; k < offsets.size(); ++k)
        if (how >> (k % 8) & 1) offsets[k] = k % 2 ? URL_IMPOSSIBLE : -3000;
    UrlOutcome found;
    s.url.rank(text, s.tables, {offsets.data(), -2048}, 1 + how % URL_LABELS, found);
    MUST(found.count <= s.url.label_count());
    std::vector<int32_t> said(URL_PARTS * s.url.label_count());
    s.url.weigh(text, s.tables, said.data());
    for (uint32_t i = 0; i < found.count; ++i) {
        MUST(found.guesses[i].label < s.url.label_count() && found.guesses[i].log_prob <= 0);
        MUST(i == 0 || found.guesses[i].log_prob <= found.guesses[i - 1].log_prob);
    }
    UrlFeatures features;
    url_features(text, s.tables, features);
    MUST(features.count >= 0 && features.count <= URL_FEATURES && features.texts <= features.count);
    MUST(s.tables.suffixes.find(text) <= text.size());
}

void fuzz_encoding(Span text, Byte how) {
    const Shipped& s = shipped();
    std::vector<int32_t> offsets(s.bytes.class_count(), 0);
    for (size_t k = 0; k < offsets.size(); ++k)
        if (how >> (k % 8) & 1) offsets[k] = k % 3 ? -5000 : BYTE_IMPOSSIBLE;
    const Detection found = detect(s.bytes, text, offsets.data(), 1 + how % 8);
    double sum = 0;
    for (const CodingGuess& guess : found.guesses) {
        MUST(guess.coding < s.bytes.class_count() && guess.log_prob <= 0);
        sum += std::exp(guess.log_prob / double{NATS});
    }
    MUST(sum < 1.01 && found.high <= text.size());
    looks_misread(text);
}

// A small font with a glyph of each kind: any bytes come out as UTF-8, and lines stay lines.
void fuzz_font(Span text, Byte how) {
    const Shipped& s = shipped();
    std::string places(0x80, '\0');
    for (int c = 0x15; c < 0x3A; ++c) places[c] = static_cast<char>(Place::consonant);
    for (int c = 0x3E; c < 0x4D; ++c) places[c] = static_cast<char>(static_cast<int>(Place::mark) + 8 * (c & 3));
    places[0x4D] = static_cast<char>(Place::joiner);
    static const Font font({{U"f", U"\u093F", Glyph::pre, U""},
                            {U"Z", U"\u0930\u094D", Glyph::reph, U"\u0902"},
                            {U"z", U"\u094D\u0930", Glyph::sub, U""},
                            {U"H", U"\u092D\u094D", Glyph::plain, U""},
                            {U"Hk", U"\u092D", Glyph::plain, U""},
                            {U"k", U"\u093E", Glyph::plain, U""}},
                           {{U"\u094D\u093E", U"", Glyph::plain, U""}}, {0x0900, places, true});
    const std::string out = font.convert(text);
    MUST(std::count(out.begin(), out.end(), '\n') == std::count(text.begin, text.end, '\n'));
    MUST(check_utf8(span_of(out)).errors == 0);
    s.fonts.suspects(text);
    const std::vector<LineGuess> lines = s.fonts.lines(text, how);
    MUST(lines.size() == static_cast<size_t>(std::count(text.begin, text.end, '\n')) + 1);
    for (const LineGuess& line : lines) MUST(line.font < s.fonts.names().size());
}

// Bytes that say they are a reading: refused, or a reading that can be decided on, whatever hints are weighed in.
void fuzz_packed(Span bytes, Byte how) {
    const Shipped& s = shipped();
    Read read;
    if (!unpack_reading(bytes, s.text, read.reading)) return;
    read.decision = decide(s.text, s.box.priors, s.box.policy, read.reading);
    check_decision(s.text, read.decision);
    check_packed(s.box, read, how);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    const std::vector<Byte> copy = copy_of(data + 2, size - 2);
    void (*const targets[])(Span, Byte) = {fuzz_text, fuzz_page, fuzz_url, fuzz_encoding, fuzz_font, fuzz_packed};
    targets[data[0] % 6](span_of(copy), data[1]);
    return 0;
}
