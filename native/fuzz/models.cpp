#include "fuzz/models.hpp"

#include <algorithm>
#include <cmath>

#include "fuzz/check.hpp"
#include "text/log_odds.hpp"
#include "text/packed.hpp"

namespace webtongue {
namespace {

constexpr size_t kModelAlign = 64;

Priors make_priors(const Model& model) {
    // Every third label is rare, so that priors matter.
    std::vector<int32_t> nats(model.label_count());
    for (size_t id = 0; id < nats.size(); ++id) nats[id] = id % 3 == 0 ? -12 * LOG_SCALE : -2 * LOG_SCALE;
    return Priors(model, nats.data(), nullptr);
}

Policy make_policy(const Model& model) {
    Policy out;
    out.min_letters = 2;
    out.reliable_letters = 20;
    out.rare_letters = 12;
    out.reliable_log_prob = -LOG_SCALE / 10;
    out.rare_log_prior = -8 * LOG_SCALE;
    out.rare_scale = 8 * LOG_SCALE;
    out.main_share = 0.45;
    out.level_share = 0.1;
    out.min_share = 0.05;
    for (size_t id = 0; id < model.label_count(); ++id) out.look_alikes.push_back(static_cast<int16_t>(id % 5 ? kNoGroup : id % 3));
    return out;
}

std::vector<uint64_t> encoding_labels() {
    std::vector<uint64_t> out;
    for (const char* label : {"utf-8", "windows-1251", "shift_jis", "koi8-r", "iso-8859-2"}) out.push_back(hash_lower(span_of(label)));
    std::sort(out.begin(), out.end());
    return out;
}

constexpr HintScaling kScaling = {0.4, 100, 400, 300};

// Hints of any size for some labels.
LabelSums make_hints(const Model& model, Byte options_byte) {
    LabelSums out(model.label_count());
    for (uint32_t k = 0; k < options_byte % 7u; ++k)
        out.add(static_cast<int32_t>((options_byte * 131u + k * 2741u) % model.label_count()),
                (static_cast<int>((options_byte ^ k) * 37u % 41u) - 20) * (k == 3 ? 1e9 : 0.7));
    return out;
}

bool are_equal(const Decision& a, const Decision& b) {
    if (a.languages.size() != b.languages.size()) return false;
    for (size_t i = 0; i < a.languages.size(); ++i)
        if (a.languages[i].label != b.languages[i].label || a.languages[i].share != b.languages[i].share) return false;
    return a.label == b.label && a.reason == b.reason && a.confidence == b.confidence && a.reliable == b.reliable &&
           a.settled == b.settled && a.tier == b.tier && a.group == b.group && a.group_confidence == b.group_confidence;
}

void check_evidence_bits(const ToolBox& tools_box, const Reading& reading) {
    const EvidenceBits bits = evidence_bits(tools_box.tools.model, tools_box.priors, reading);
    CHECK(std::isfinite(bits.text) && std::isfinite(bits.prior));
    for (const Guess& guess : reading.guesses)
        CHECK(std::isfinite(log_likelihood(tools_box.tools.model, tools_box.priors, reading, guess)));
}

}  // namespace

Memory::Memory(const std::vector<Byte>& bytes) : size_(bytes.size()) {
    void* memory = nullptr;
    CHECK(posix_memalign(&memory, kModelAlign, std::max<size_t>(size_, 1)) == 0);
    bytes_.reset(static_cast<Byte*>(memory));
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
}

std::vector<Byte> read_model(const char* name) {
    const char* folder = std::getenv("WEBTONGUE_MODELS");
    const std::string path = std::string(folder ? folder : "src/webtongue/models") + "/" + name;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) std::fprintf(stderr, "no model at %s: set WEBTONGUE_MODELS\n", path.c_str());
    CHECK(file);
    std::vector<Byte> out;
    Byte chunk[65536];
    for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;) out.insert(out.end(), chunk, chunk + n);
    std::fclose(file);
    return out;
}

ToolBox::ToolBox(const Model& model, const FontDetector& fonts)
    : priors(make_priors(model)),
      policy(make_policy(model)),
      common({"home", "login", "ok"}, {"not found", "404"}),
      tools{model, priors, policy, fonts, common, {{0, "%PDF-"}, {4, "ftyp"}}, encoding_labels()} {}

void check_guesses(const Model& model, const std::vector<Guess>& guesses) {
    double sum = 0;
    for (size_t i = 0; i < guesses.size(); ++i) {
        CHECK(guesses[i].label < model.label_count());
        CHECK(guesses[i].log_prob <= 0);
        CHECK(i == 0 || guesses[i].log_prob <= guesses[i - 1].log_prob);
        sum += std::exp(guesses[i].log_prob / double{LOG_SCALE});
    }
    CHECK(sum < 1.05);
}

void check_decision(const Model& model, const Decision& decision) {
    CHECK((decision.label == kNoLabel) == (decision.reason != Reason::none));
    CHECK(decision.label < static_cast<int32_t>(model.label_count()));
    CHECK(decision.confidence >= 0 && decision.confidence <= 1);
    CHECK(decision.group_confidence >= 0 && decision.group_confidence <= 1);
    CHECK(decision.label == kNoLabel || (decision.tier >= 1 && decision.tier <= TIERS));
    double held = 0;
    for (const LanguageShare& language : decision.languages) {
        CHECK(language.label >= 0 && language.label < static_cast<int32_t>(model.label_count()));
        CHECK(language.share >= 0 && language.share <= 1);
        held += language.share;
    }
    CHECK(held < 1.001);
}

void check_reading(const Model& model, const Reading& reading, size_t page) {
    check_guesses(model, reading.guesses);
    CHECK(reading.unseen <= reading.features && reading.group_letters <= reading.letters);
    for (const LabeledChunk& chunk : join_chunks(reading.chunks)) {
        CHECK(chunk.page_begin <= chunk.page_end && chunk.page_end <= page);
        CHECK(chunk.label < static_cast<int32_t>(model.label_count()));
    }
}

void check_packed(const ToolBox& tools_box, DecidedReading read, Byte options_byte) {
    const Model& model = tools_box.tools.model;
    const std::string packed = pack_reading(read.reading);
    DecidedReading again;
    CHECK(unpack_reading(span_of(packed), model, again.reading));
    CHECK(pack_reading(again.reading) == packed);
    CHECK(are_equal(decide(model, tools_box.priors, tools_box.policy, again.reading),
                    decide(model, tools_box.priors, tools_box.policy, read.reading)));
    const LabelSums hints = make_hints(model, options_byte);
    apply_hints(read, tools_box.tools, hints, kScaling);
    apply_hints(again, tools_box.tools, hints, kScaling);
    CHECK(are_equal(again.decision, read.decision));
    CHECK(pack_reading(read.reading) == packed && pack_reading(again.reading) == packed);
    check_evidence_bits(tools_box, again.reading);
}

void check_with_hints(const ToolBox& tools_box, Scan& scan, size_t page, Byte options_byte) {
    const Model& model = tools_box.tools.model;
    const LabelSums hints = make_hints(model, options_byte);
    const std::vector<uint16_t> requested(hints.labels().begin(), hints.labels().end());
    const int32_t main = options_byte & 8 && !requested.empty() ? requested.front() : kNoLabel;
    DecidedReading read = read_scan(scan, tools_box.tools, main, options_byte & 16 ? -900 : 0, requested);
    check_reading(model, read.reading, page);
    check_packed(tools_box, read, options_byte);
    for (int i = 0; i < 2; ++i) apply_hints(read, tools_box.tools, hints, kScaling);
    for (size_t i = 0; i < read.reading.guesses.size(); ++i) {
        const Guess& guess = read.reading.guesses[i];
        CHECK(guess.label < model.label_count() && guess.log_prob <= 0);
        CHECK(i == 0 || guess.log_prob <= read.reading.guesses[i - 1].log_prob);
    }
    check_decision(model, read.decision);
}

}  // namespace webtongue
