#include "text/packed.hpp"

#include "base/scripts.hpp"

namespace webtongue {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint64_t kMostListed = 64;           // guesses or shares: a reading has 16 at most
constexpr int64_t kLowest = -(int64_t{1} << 20);  // of a log, 1/1024 nats: keeps sums within bounds
constexpr uint64_t kMostLetters = uint64_t{1} << 40;

enum Flag : uint8_t { kPoorFit = 1, kFiledByHints = 2, kBoilerplate = 4, kMisread = 8 };

// Numbers of seven bits a byte, the lowest first; signs are folded in.
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
    uint64_t number(uint64_t most) {
        uint64_t value = 0;
        for (int shift = 0; at_ < end_ && shift < 63; shift += 7) {
            const Byte byte = *at_++;
            value |= uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) {
                good_ = good_ && value <= most;
                return good_ ? value : 0;
            }
        }
        good_ = false;
        return 0;
    }
    int64_t integer(int64_t least, int64_t most) {
        const uint64_t folded = number(UINT64_MAX);
        const int64_t value = static_cast<int64_t>(folded >> 1) ^ -static_cast<int64_t>(folded & 1);
        good_ = good_ && value >= least && value <= most;
        return good_ ? value : 0;
    }
    bool good() const { return good_; }
    bool ended() const { return good_ && at_ == end_; }

private:
    const Byte *at_, *end_;
    bool good_ = true;
};

void unpack_lists(Unpacker& in, int64_t labels, Reading& out) {
    for (uint64_t left = in.number(kMostListed); left && in.good(); --left) {
        Guess guess{};
        guess.label = static_cast<uint16_t>(in.integer(0, labels - 1));
        guess.log_prob = static_cast<int32_t>(in.integer(kLowest, 0));
        out.guesses.push_back(guess);
    }
    for (uint64_t left = in.number(kMostListed); left && in.good(); --left) {
        const auto label = static_cast<int32_t>(in.integer(0, labels - 1));
        out.shares.push_back({label, in.number(kMostLetters) + 1});  // one that holds nothing is no share
    }
}

}  // namespace

std::string pack_reading(const Reading& r) {
    Packer out;
    const bool weighed = !r.by_text.empty();
    const std::vector<Guess>& guesses = weighed ? r.by_text : r.guesses;
    const Doubt& doubt = weighed ? r.doubt_by_text : r.doubt;
    out.number(kVersion);
    out.number(r.letters);
    out.number(r.features);
    out.number(r.group);
    out.number(r.written);
    out.number((r.poor_fit ? kPoorFit : 0) | (r.filed_by_hints ? kFiledByHints : 0) | (r.boilerplate ? kBoilerplate : 0) |
               (r.misread ? kMisread : 0));
    out.number(r.words.count);
    out.number(r.words.tokens);
    out.number(r.words.wordy);
    out.integer(r.junk.score);
    out.integer(r.preferred);
    out.integer(r.unasked);
    out.number(doubt.unknown != INT32_MIN);
    if (doubt.unknown != INT32_MIN) out.integer(doubt.unknown);
    out.integer(doubt.known);
    out.number(guesses.size());
    for (const Guess& guess : guesses) {
        out.integer(guess.label);
        out.integer(guess.log_prob);
    }
    out.number(r.shares.size());
    for (const Share& share : r.shares) {
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
    out.written = static_cast<uint8_t>(in.number(script_count() - 1));
    const uint64_t flags = in.number(UINT8_MAX);
    out.poor_fit = flags & kPoorFit;
    out.filed_by_hints = flags & kFiledByHints;
    out.boilerplate = flags & kBoilerplate;
    out.misread = flags & kMisread;
    out.words.count = static_cast<uint32_t>(in.number(kMostWords));
    out.words.tokens = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.words.wordy = static_cast<uint32_t>(in.number(UINT32_MAX));
    out.junk.score = static_cast<int32_t>(in.integer(INT32_MIN, INT32_MAX));
    out.preferred = static_cast<int32_t>(in.integer(kNoLabel, labels - 1));
    out.unasked = static_cast<int32_t>(in.integer(kNoLabel, labels - 1));
    if (in.number(1)) out.doubt.unknown = static_cast<int32_t>(in.integer(kLowest, -kLowest));
    out.doubt.known = static_cast<int32_t>(in.integer(kLowest, 0));
    unpack_lists(in, labels, out);
    return in.ended();
}

}  // namespace webtongue
