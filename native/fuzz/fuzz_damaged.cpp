// libFuzzer target: damaged model files. Each is refused with a sentence, or opened and used: nothing may be read or written out of
// bounds, and results stay valid. Run by `make fuzz`.
//
// The first byte of the input selects a model, the second the operations. The rest are patches of eight bytes (offset, section, content)
// to a small model made from the shipped one. Models are small so that patches rarely hit only weights.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "charset/encoding_ranking.hpp"
#include "fuzz/check.hpp"
#include "fuzz/models.hpp"
#include "text/features.hpp"

using namespace webtongue;

namespace {

constexpr size_t kHeader = 32, kPlace = 16, kAlign = 64;

// The sections of a container.
std::vector<std::vector<Byte>> sections_of(const std::vector<Byte>& file) {
    uint32_t count;
    std::memcpy(&count, &file[12], sizeof count);
    std::vector<std::vector<Byte>> out;
    for (size_t i = 0; i < count; ++i) {
        uint64_t at, size;
        std::memcpy(&at, &file[kHeader + kPlace * i], sizeof at);
        std::memcpy(&size, &file[kHeader + kPlace * i + 8], sizeof size);
        out.emplace_back(file.begin() + static_cast<ptrdiff_t>(at), file.begin() + static_cast<ptrdiff_t>(at + size));
    }
    return out;
}

std::vector<Byte> packed(const std::vector<Byte>& like, const std::vector<std::vector<Byte>>& sections) {
    std::vector<Byte> out(like.begin(), like.begin() + kHeader);
    out.resize((kHeader + kPlace * sections.size() + kAlign - 1) / kAlign * kAlign);
    for (size_t i = 0; i < sections.size(); ++i) {
        const uint64_t place[2] = {out.size(), sections[i].size()};
        std::memcpy(&out[kHeader + kPlace * i], place, sizeof place);
        out.insert(out.end(), sections[i].begin(), sections[i].end());
        out.resize((out.size() + kAlign - 1) / kAlign * kAlign);
    }
    const uint64_t size = out.size();
    std::memcpy(&out[16], &size, sizeof size);
    return out;
}

const char kText[] = "The quick brown fox, der schnelle braune Fuchs; быстрая лиса прыгает, 狐は素早い. ";

// Adds a pair for each n-gram of the text to its line, with a weight or a row index from `values`.
void add_pairs(std::vector<Byte>& lines, Span values) {
    struct Sink {
        std::vector<uint64_t> keys;
        void letters(uint8_t, int) {}
        void feature(uint64_t key, int, uint8_t) { keys.push_back(key); }
        bool more() const { return true; }
    } sink;
    each_feature(kText, sizeof kText - 1, sink);
    const uint64_t count = lines.size() / 64;
    for (size_t i = 0; i < sink.keys.size() && 3 * i + 2 < values.size(); ++i) {
        const uint64_t key = sink.keys[i], line = ((key >> 32) * count) >> 32;
        const Byte* p = values.begin + 3 * i;
        const uint32_t low = (p[0] | p[1] << 8 | p[2] << 16) & 0x3FFFF, pair = static_cast<uint32_t>(key & 0x3FFF) << 18 | low;
        std::memcpy(&lines[line * 64 + 4 * (i % PAIRS_PER_LINE)], &pair, sizeof pair);
    }
}

struct Small {
    std::vector<Byte> like;
    std::vector<std::vector<Byte>> sections;

    explicit Small(const char* name) : like(read_model(name)), sections(sections_of(like)) {}
    Small& cut(size_t section, size_t size) { return sections[section].resize(size), *this; }
};

// Section numbers are those of text/model.cpp, url/model.cpp and charset/byte_model.cpp.
const Small& small(size_t kind) {
    static const Small models[] = {Small("text.wtm").cut(3, 16).cut(4, 64 * 64).cut(5, 512).cut(6, 512 * 16).cut(7, 32 * 64),
                                   Small("url.wtu").cut(4, 32 * 16).cut(5, 32 * 8 * 48),
                                   Small("encodings.wtb").cut(3, 2 * 256).cut(4, 256 * 96).cut(10, 1024), Small("fonts.wtf")};
    return models[kind];
}

void patch(std::vector<std::vector<Byte>>& parts, Span patches) {
    for (const Byte* p = patches.begin; patches.end - p >= 8; p += 8) {
        uint32_t where;
        std::memcpy(&where, p, sizeof where);
        std::vector<Byte>& part = parts[p[4] % parts.size()];
        if (part.empty()) continue;
        const size_t at = where % part.size();
        for (size_t i = 0; i < 3 && at + i < part.size(); ++i) part[at + i] = p[5 + i];
    }
}

void read_with_text(Span file) {
    const Model model(file);
    static const Memory font_file(read_model("fonts.wtf"));
    static const FontDetector fonts(font_file.span());
    const ToolBox tools_box(model, fonts);
    const std::string text = kText;
    for (const bool baseline : {false, true}) {
        Scorer::force_baseline(baseline);
        Scorer& scorer = local_scorer(model, 0);
        scorer.add(span_of(text));
        check_guesses(model, scorer.rank(8, tools_box.priors).guesses);
    }
    Scorer::force_baseline(false);
    check_guesses(model, read_text(model, span_of(text), tools_box.priors, nullptr, 4).guesses);
    const std::string page = "<title>" + text + "</title><p>" + text + text + "<p lang=ru>" + text + "<ul><li><a href=x>" + text;
    FlowOptions options;
    options.scannable = true;
    Analysis result = analyse(span_of(page), options, tools_box.tools);
    check_guesses(model, result.read.reading.guesses);
    check_decision(model, result.read.decision);
    if (result.stop == Stop::done) {
        LabelSums hints(model.label_count());
        hints.add(0, 3.0);
        hints.add(static_cast<int32_t>(model.label_count()) - 1, -9.0);
        apply_hints(result.read, tools_box.tools, hints, HintScaling{0.4, 100, 500, 300});
        check_decision(model, result.read.decision);
    }
}

void read_with_url(Span file) {
    const UrlModel model(file);
    const UrlClassifier classifier(model, FUZZ_SUFFIXES, FUZZ_CODES, {"mlt_Latn"}, {-9 * LOG_SCALE}, FUZZ_LIMITS);
    const std::vector<int32_t> offsets(classifier.label_count(), 0);
    UrlOutcome result;
    for (const char* url : {"https://www.schule.de/ueber-uns/index.html?lang=de", "http://xn--80ak6aa92e.com/", "https://a.b.ru/новости"}) {
        classifier.rank(url, {offsets.data(), -2048}, 8, result);
        for (uint32_t i = 0; i < result.count; ++i)
            CHECK(result.guesses[i].label < classifier.label_count() && result.guesses[i].log_prob <= 0);
    }
}

void read_with_bytes(Span file) {
    const ByteModel model(file);
    const std::vector<int32_t> offsets(model.class_count(), 0);
    const std::string russian = "\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0! \xa9 1998 \x93\xca\xe0\xea \xe4\xe5\xeb\xe0\x94?",
                      japanese = "\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x79\x81\x5b\x83\x57";
    for (const std::string& text : {russian, japanese, russian + japanese}) {
        const Detection result = detect(model, span_of(text), offsets.data(), 4);
        for (const EncodingGuess& guess : result.guesses) CHECK(guess.encoding < model.class_count() && guess.log_prob <= 0);
    }
}

void read_with_fonts(Span file) {
    const FontDetector model(file);
    const std::string text = "Hkkjr ljdkj dk;kZy; vkns'k\n\u1019\u103c\u1014\u103a\u1019\u102c";
    model.may_have_font(span_of(text));
    for (size_t wanted = 0; wanted <= model.names().size(); ++wanted)
        for (const LineFont& line : model.lines(span_of(text), wanted)) CHECK(line.font < model.names().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    const std::vector<Byte> copy = copy_bytes(data + 2, size - 2);
    constexpr size_t kKinds[16] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3};  // fonts have large tables and few sections
    const size_t kind = kKinds[data[0] % 16];
    std::vector<std::vector<Byte>> sections = small(kind).sections;
    Span patches = span_of(copy);
    if (kind == 0 && data[1] & 1) {
        add_pairs(sections[7], patches);
        patches.begin += std::min<size_t>(patches.size(), 3 * 200);
    }
    patch(sections, patches);
    std::vector<Byte> file = packed(small(kind).like, sections);
    if (data[1] & 2) {  // the header and directory too
        const auto end = file.begin() + static_cast<ptrdiff_t>(kHeader + kPlace * sections.size());
        std::vector<std::vector<Byte>> head{{file.begin(), end}};
        patch(head, patches);
        std::copy(head[0].begin(), head[0].end(), file.begin());
    }
    if (data[1] & 4) file.resize(file.size() * data[1] / 256);
    const Memory memory(file);
    void (*const readers[])(Span) = {read_with_text, read_with_url, read_with_bytes, read_with_fonts};
    try {
        readers[kind](memory.span());
    } catch (const std::invalid_argument& error) {
        CHECK(std::strlen(error.what()) > 10);
    }
    return 0;
}
