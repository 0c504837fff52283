#include "fuzz/models.hpp"

#include <algorithm>
#include <cmath>

#include "fuzz/must.hpp"
#include "text/packed.hpp"
#include "text/worth.hpp"

namespace webtongue {
namespace {

constexpr size_t kAligned = 64;

Priors even_priors(const Model& model) {
    // Every third label is rare, so that priors have something to decide.
    std::vector<int32_t> nats(model.label_count());
    for (size_t id = 0; id < nats.size(); ++id) nats[id] = id % 3 == 0 ? -12 * NATS : -2 * NATS;
    return Priors(model, nats.data(), nullptr);
}

Policy policy_for(const Model& model) {
    Policy out;
    out.few_letters = 2;
    out.enough_letters = 20;
    out.rare_letters = 12;
    out.sure = -NATS / 10;
    out.rare = -8 * NATS;
    out.rare_sure = -NATS / 2;
    out.holds = 0.45;
    out.level = 0.1;
    out.second = 0.05;
    for (size_t id = 0; id < model.label_count(); ++id) out.look_alikes.push_back(static_cast<int16_t>(id % 5 ? kNoGroup : id % 3));
    return out;
}

std::vector<uint64_t> encoding_labels() {
    std::vector<uint64_t> out;
    for (const char* label : {"utf-8", "windows-1251", "shift_jis", "koi8-r", "iso-8859-2"}) out.push_back(hash_lower(span_of(label)));
    std::sort(out.begin(), out.end());
    return out;
}

// Some labels, and hints of any size for them.
std::vector<Hinted> some_hints(const Model& model, Byte how) {
    std::vector<Hinted> out;
    for (uint32_t k = 0; k < how % 7u; ++k) {
        const auto label = static_cast<uint16_t>((how * 131u + k * 2741u) % model.label_count());
        out.push_back({label, logs_of((static_cast<int>((how ^ k) * 37u % 41u) - 20) * (k == 3 ? 1e9 : 0.7))});
    }
    return out;
}

bool is_same(const Decision& a, const Decision& b) {
    if (a.holders.size() != b.holders.size()) return false;
    for (size_t i = 0; i < a.holders.size(); ++i)
        if (a.holders[i].label != b.holders[i].label || a.holders[i].share != b.holders[i].share) return false;
    return a.label == b.label && a.reason == b.reason && a.confidence == b.confidence && a.reliable == b.reliable &&
           a.settled == b.settled && a.tier == b.tier && a.group == b.group && a.group_confidence == b.group_confidence;
}

void check_worth(const ToolBox& box, const Reading& reading) {
    const Worth worth = worth_of(box.tools.model, box.priors, reading);
    MUST(std::isfinite(worth.text) && std::isfinite(worth.prior));
    for (const Guess& guess : reading.guesses) MUST(std::isfinite(log_likelihood(box.tools.model, box.priors, guess)));
}

}  // namespace

Memory::Memory(const std::vector<Byte>& bytes) : size_(bytes.size()) {
    void* room = nullptr;
    MUST(posix_memalign(&room, kAligned, std::max<size_t>(size_, 1)) == 0);
    bytes_.reset(static_cast<Byte*>(room));
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
}

std::vector<Byte> read_model(const char* name) {
    const char* folder = std::getenv("WEBTONGUE_MODELS");
    const std::string path = std::string(folder ? folder : "src/webtongue/models") + "/" + name;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) std::fprintf(stderr, "no model at %s: set WEBTONGUE_MODELS\n", path.c_str());
    MUST(file);
    std::vector<Byte> out;
    Byte chunk[65536];
    for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, file)) > 0;) out.insert(out.end(), chunk, chunk + n);
    std::fclose(file);
    return out;
}

ToolBox::ToolBox(const Model& model, const FontGuess& fonts)
    : priors(even_priors(model)),
      policy(policy_for(model)),
      common({"home", "login", "ok"}, {"not found", "404"}),
      tools{model, priors, policy, fonts, common, {{0, "%PDF-"}, {4, "ftyp"}}, encoding_labels()} {}

void check_guesses(const Model& model, const std::vector<Guess>& guesses) {
    double sum = 0;
    for (size_t i = 0; i < guesses.size(); ++i) {
        MUST(guesses[i].label < model.label_count());
        MUST(guesses[i].log_prob <= 0);
        MUST(i == 0 || guesses[i].log_prob <= guesses[i - 1].log_prob);
        sum += std::exp(guesses[i].log_prob / double{NATS});
    }
    MUST(sum < 1.05);
}

void check_decision(const Model& model, const Decision& decision) {
    MUST((decision.label == kNoLabel) == (decision.reason != Reason::none));
    MUST(decision.label < static_cast<int32_t>(model.label_count()));
    MUST(decision.confidence >= 0 && decision.confidence <= 1);
    MUST(decision.group_confidence >= 0 && decision.group_confidence <= 1);
    MUST(decision.label == kNoLabel || (decision.tier >= 1 && decision.tier <= TIERS));
    double held = 0;
    for (const Holder& holder : decision.holders) {
        MUST(holder.label >= 0 && holder.label < static_cast<int32_t>(model.label_count()));
        MUST(holder.share >= 0 && holder.share <= 1);
        held += holder.share;
    }
    MUST(held < 1.001);
}

void check_reading(const Model& model, const Reading& reading, size_t page) {
    check_guesses(model, reading.guesses);
    MUST(reading.unseen <= reading.features && reading.group_letters <= reading.letters);
    for (const JudgedPiece& piece : join_pieces(reading.pieces)) {
        MUST(piece.page_begin <= piece.page_end && piece.page_end <= page);
        MUST(piece.label < static_cast<int32_t>(model.label_count()));
    }
}

void check_packed(const ToolBox& box, Read read, Byte how) {
    const Model& model = box.tools.model;
    const std::string packed = pack_reading(read.reading);
    Read again;
    MUST(unpack_reading(span_of(packed), model, again.reading));
    MUST(pack_reading(again.reading) == packed);
    MUST(is_same(decide(model, box.priors, box.policy, again.reading), decide(model, box.priors, box.policy, read.reading)));
    const std::vector<Hinted> hints = some_hints(model, how);
    const Borrowed borrowed = {-2 * NATS, how & 64 ? -5 * NATS : kImpossible, box.policy.boilerplate};
    weigh_hints(read, box.tools, hints, borrowed);
    weigh_hints(again, box.tools, hints, borrowed);
    MUST(is_same(again.decision, read.decision));
    MUST(pack_reading(read.reading) == packed && pack_reading(again.reading) == packed);
    check_worth(box, again.reading);
}

void check_hinted(const ToolBox& box, Scan& scan, size_t page, Byte how) {
    const Model& model = box.tools.model;
    const std::vector<Hinted> hints = some_hints(model, how);
    std::vector<uint16_t> wanted;
    for (const Hinted& hint : hints) wanted.push_back(hint.label);
    const int32_t main = how & 8 && !wanted.empty() ? wanted.front() : kNoLabel;
    Read read = read_scan(scan, box.tools, main, how & 16 ? -900 : 0, wanted);
    check_reading(model, read.reading, page);
    check_packed(box, read, how);
    Borrowed borrowed;
    if (how & 32) borrowed = {-2 * NATS, how & 64 ? -5 * NATS : kImpossible, box.policy.boilerplate};
    for (int i = 0; i < 2; ++i) weigh_hints(read, box.tools, hints, borrowed);
    for (size_t i = 0; i < read.reading.guesses.size(); ++i) {
        const Guess& guess = read.reading.guesses[i];
        MUST(guess.label < model.label_count() && guess.log_prob <= 0);
        MUST(i == 0 || guess.log_prob <= read.reading.guesses[i - 1].log_prob);
    }
    check_decision(model, read.decision);
}

}  // namespace webtongue
