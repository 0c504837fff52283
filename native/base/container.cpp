#include "base/container.hpp"

#include <algorithm>
#include <stdexcept>

namespace webtongue {
namespace {

struct Header {
    char magic[8];
    uint32_t version, sections;
    uint64_t size, checksum;
};
struct Place {
    uint64_t offset, size;
};

constexpr size_t kMemoryAlign = 16;  // of the file's first byte: weights are loaded 16 at a time
constexpr uint32_t kOne = 1 << 30;
constexpr uint32_t kLn2 = 710;  // 1/1024 nats

bool is_label(std::string_view name) {
    const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
    return name.size() == 8 && std::all_of(name.begin(), name.begin() + 3, small) && name[3] == '_' && name[4] >= 'A' && name[4] <= 'Z' &&
           std::all_of(name.begin() + 5, name.end(), small);
}

}  // namespace

void require(bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
}

Container::Container(Span file, const Format& format) {
    Header header;
    require(file.size() >= sizeof header && std::memcmp(file.begin, format.magic, sizeof header.magic) == 0,
            "it is not a webtongue model of this kind");
    std::memcpy(&header, file.begin, sizeof header);
    require(header.version == format.version && header.sections == format.sections, "it was written by another release");
    require(header.size == file.size() && file.size() >= sizeof header + format.sections * sizeof(Place), "the file is cut, or too long");
    require(reinterpret_cast<uintptr_t>(file.begin) % kMemoryAlign == 0, "its memory must begin at a multiple of 16");
    for (size_t i = 0; i < format.sections; ++i) {
        Place place;
        std::memcpy(&place, file.begin + sizeof header + i * sizeof place, sizeof place);
        require(place.offset % kAlign == 0 && place.offset <= file.size() && place.size <= file.size() - place.offset,
                "a section lies outside the file");
        parts_.emplace_back(reinterpret_cast<const char*>(file.begin) + place.offset, static_cast<size_t>(place.size));
    }
}

std::vector<std::string_view> Container::names(size_t section, size_t least, size_t most) const {
    std::vector<std::string_view> out;
    for (std::string_view rest = text(section); !rest.empty() && out.size() <= most;) {
        const std::string_view name = rest.substr(0, rest.find('\n'));
        require(!name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7F; }),
                "a name is empty or not plain ASCII");
        out.push_back(name);
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    require(out.size() >= least && out.size() <= most, "it has too many names, or too few");
    std::vector<std::string_view> sorted = out;
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "a name is there twice");
    return out;
}

const uint32_t* exps_in(const Container& file, size_t section) {
    const auto exps = file.records<uint32_t>(section, kExpSteps, "the table of exponentials has the wrong size");
    require(exps[0] == kOne && std::is_sorted(exps.begin(), exps.end(), std::greater<>()), "the exponentials do not fall from one");
    return exps.data;
}

const uint32_t* logs_in(const Container& file, size_t section) {
    const auto logs = file.records<uint32_t>(section, kLogSteps, "the table of logarithms has the wrong size");
    require(logs[0] == 0 && std::is_sorted(logs.begin(), logs.end()) && logs[kLogSteps - 1] <= kLn2,
            "the logarithms do not rise from zero");
    return logs.data;
}

Records<uint32_t> scales_in(const Container& file, size_t section) {
    const auto scales = file.records<uint32_t>(section, "the scales are four bytes each");
    require(scales.count > 0, "there are no scales");
    require(*std::max_element(scales.begin(), scales.end()) <= kMostScale, "a scale is too large to be true");
    return scales;
}

const int32_t* biases_in(const Container& file, size_t section, size_t count) {
    const auto biases = file.records<int32_t>(section, count, "priors and biases are one a label");
    require(std::all_of(biases.begin(), biases.end(), [](int32_t b) { return b >= -kMostBias && b <= kMostBias; }),
            "a prior or bias is too large to be true");
    return biases.data;
}

void require_labels(const std::vector<std::string_view>& names) {
    require(std::all_of(names.begin(), names.end(), is_label), "a label is not of the form eng_Latn");
}

}  // namespace webtongue
