#include "text/packed.hpp"

#include "base/scripts.hpp"
#include "text/priors.hpp"

namespace webtongue {
namespace {

constexpr uint8_t kVersion = 3;
constexpr uint64_t kMaxListItems = 64;  // guesses or shares; a reading has at most 16
constexpr int64_t kMinLog = -(int64_t{1} << 20);  // bound on a log in 1/LOG_SCALE nats, which keeps sums in range
constexpr uint64_t kMaxLetters = uint64_t{1} << 40;

enum Flag : uint8_t { kPoorFit = 1, kFiledByHints = 2, kBoilerplate = 4, kMisread = 8 };

// Writes variable-length integers of seven bits per byte, the lowest first, with zigzag encoding for signed ones.
class Packer {
public:
    void number(uint64_t value) {
        for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
        out += static_cast<char>(value);
    }
    void integer(int64_t value) { number(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63)); }
    std::string out;
};

class Unpacker {
public:
    explicit Unpacker(Span packed) : at_(packed.begin), end_(packed.end) {}
    uint64_t number(uint64_t max) {
        uint64_t value = 0;
        for (int shift = 0; at_ < end_ && shift < 63; shift += 7) {
            const Byte byte = *at_++;
            value |= uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) {
                valid_ = valid_ && value <= max;
                return valid_ ? value : 0;
            }
        }
        valid_ = false;
        return 0;
    }
    int64_t integer(int64_t min, int64_t max) {
        const uint64_t folded = number(UINT64_MAX);
        const int64_t value = static_cast<int64_t>(folded >> 1) ^ -static_cast<int64_t>(folded & 1);
        valid_ = valid_ && value >= min && value <= max;
        return valid_ ? value : 0;
    }
    bool valid() const { return valid_; }
    bool is_complete() const { return valid_ && at_ == end_; }

private:
    const Byte *at_, *end_;
    bool valid_ = true;
};

void unpack_lists(Unpacker& in, int64_t labels, Reading& out) {
    for (uint64_t remaining = in.number(kMaxListItems); remaining && in.valid(); --remaining) {
        Guess guess{};
        guess.label = static_cast<uint16_t>(in.integer(0, labels - 1));
        guess.log_prob = static_cast<int32_t>(in.integer(kMinLog, 0));
        out.guesses.push_back(guess);
    }
    for (uint64_t remaining = in.number(kMaxListItems); remaining && in.valid(); --remaining) {
        const auto label = static_cast<int32_t>(in.integer(0, labels - 1));
        out.shares.push_back({label, in.number(kMaxLetters) + 1});  // a share of zero letters does not exist
    }
}

}  // namespace

std::string pack_reading(const Reading& reading) {
    Packer out;
    const bool has_hints = !reading.text_guesses.empty();
    const std::vector<Guess>& guesses = has_hints ? reading.text_guesses : reading.guesses;
    const UnknownOdds& unknown_odds = has_hints ? reading.text_unknown_odds : reading.unknown_odds;
    out.number(kVersion);
    out.number(reading.letters);
    out.number(reading.features);
    out.number(reading.group);
    out.number(reading.main_script);
    out.number((reading.poor_fit ? kPoorFit : 0) | (reading.filed_by_hints ? kFiledByHints : 0) | (reading.boilerplate ? kBoilerplate : 0) |
               (reading.misread ? kMisread : 0));
    out.number(reading.words.count);
    out.number(reading.words.letters);
    out.number(reading.words.tokens);
    out.number(reading.words.word_like);
    out.integer(reading.junk.score);
    out.integer(reading.placeholder_score);
    out.integer(reading.preferred);
    out.integer(reading.outside_allowlist);
    out.number(unknown_odds.score != INT32_MIN);
    if (unknown_odds.score != INT32_MIN) out.integer(unknown_odds.score);
    out.integer(unknown_odds.log_known);
    out.number(static_cast<uint64_t>(reading.facts.prior_weight));
    out.number(guesses.size());
    for (const Guess& guess : guesses) {
        out.integer(guess.label);
        out.integer(guess.log_prob);
    }
    out.number(reading.shares.size());
    for (const Share& share : reading.shares) {
        out.integer(share.label);
        out.number(share.letters - 1);
    }
    return std::move(out.out);
}

bool unpack_reading(Span packed, const Model& model, Reading& out) {
    Unpacker in(packed);
    const auto labels = static_cast<int64_t>(model.label_count());
    if (in.number(UINT8_MAX) != kVersion) return false;
    out.letters = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.features = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.group = static_cast<uint8_t>(in.number(script_count() - 1));
    out.main_script = static_cast<uint8_t>(in.number(script_count() - 1));
    const uint64_t flags = in.number(UINT8_MAX);
    out.poor_fit = flags & kPoorFit;
    out.filed_by_hints = flags & kFiledByHints;
    out.boilerplate = flags & kBoilerplate;
    out.misread = flags & kMisread;
    out.words.count = static_cast<uint32_t>(in.number(kMaxRunningWords));
    out.words.letters = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.words.tokens = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.words.word_like = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.junk.score = static_cast<int32_t>(in.integer(INT32_MIN, INT32_MAX));
    out.placeholder_score = static_cast<int32_t>(in.integer(INT32_MIN, INT32_MAX));
    out.preferred = static_cast<int32_t>(in.integer(kNoLabel, labels - 1));
    out.outside_allowlist = static_cast<int32_t>(in.integer(kNoLabel, labels - 1));
    if (in.number(1)) out.unknown_odds.score = static_cast<int32_t>(in.integer(kMinLog, -kMinLog));
    out.unknown_odds.log_known = static_cast<int32_t>(in.integer(kMinLog, 0));
    out.facts.prior_weight = static_cast<int32_t>(in.number(kFullWeight));
    unpack_lists(in, labels, out);
    return in.is_complete();
}

}  // namespace webtongue
