#include "base/container.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/probability.hpp"

namespace webtongue {
namespace {

struct Header {
    char magic[8];
    uint32_t version, sections;
    uint64_t size, checksum;
};
struct SectionEntry {
    uint64_t offset, size;
};

constexpr size_t kMemoryAlign = 16;  // required of the first byte, since weights are loaded 16 at a time
constexpr uint32_t kExpOne = 1 << 30;

bool is_label(std::string_view name) {
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    return name.size() == 8 && std::all_of(name.begin(), name.begin() + 3, is_lower) && name[3] == '_' && name[4] >= 'A' &&
           name[4] <= 'Z' && std::all_of(name.begin() + 5, name.end(), is_lower);
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
    require(header.size == file.size() && file.size() >= sizeof header + format.sections * sizeof(SectionEntry),
            "the file is cut, or too long");
    require(reinterpret_cast<uintptr_t>(file.begin) % kMemoryAlign == 0, "its memory must begin at a multiple of 16");
    for (size_t i = 0; i < format.sections; ++i) {
        SectionEntry entry;
        std::memcpy(&entry, file.begin + sizeof header + i * sizeof entry, sizeof entry);
        require(entry.offset % kAlign == 0 && entry.offset <= file.size() && entry.size <= file.size() - entry.offset,
                "a section lies outside the file");
        sections_.emplace_back(reinterpret_cast<const char*>(file.begin) + entry.offset, static_cast<size_t>(entry.size));
    }
}

std::vector<std::string_view> Container::names(size_t section, size_t min_count, size_t max_count) const {
    std::vector<std::string_view> out;
    for (std::string_view rest = text(section); !rest.empty() && out.size() <= max_count;) {
        const std::string_view name = rest.substr(0, rest.find('\n'));
        require(!name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7F; }),
                "a name is empty or not plain ASCII");
        out.push_back(name);
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    require(out.size() >= min_count && out.size() <= max_count, "it has too many names, or too few");
    std::vector<std::string_view> sorted = out;
    std::sort(sorted.begin(), sorted.end());
    require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "a name is there twice");
    return out;
}

const uint32_t* read_exps(const Container& file, size_t section) {
    const auto exps = file.records<uint32_t>(section, kExpSteps, "the table of exponentials has the wrong size");
    require(exps[0] == kExpOne && std::is_sorted(exps.begin(), exps.end(), std::greater<>()), "the exponentials do not fall from one");
    return exps.data;
}

const uint32_t* read_logs(const Container& file, size_t section) {
    const auto logs = file.records<uint32_t>(section, kLogSteps, "the table of logarithms has the wrong size");
    require(logs[0] == 0 && std::is_sorted(logs.begin(), logs.end()) && logs[kLogSteps - 1] <= uint32_t{kLn2},
            "the logarithms do not rise from zero");
    return logs.data;
}

Records<uint32_t> read_scales(const Container& file, size_t section) {
    const auto scales = file.records<uint32_t>(section, "the scales are four bytes each");
    require(scales.count > 0, "there are no scales");
    require(*std::max_element(scales.begin(), scales.end()) <= kMaxScale, "a scale is too large to be true");
    return scales;
}

const int32_t* read_biases(const Container& file, size_t section, size_t count) {
    const auto biases = file.records<int32_t>(section, count, "priors and biases are one a label");
    require(std::all_of(biases.begin(), biases.end(), [](int32_t b) { return b >= -kMaxBias && b <= kMaxBias; }),
            "a prior or bias is too large to be true");
    return biases.data;
}

void require_labels(const std::vector<std::string_view>& names) {
    require(std::all_of(names.begin(), names.end(), is_label), "a label is not of the form eng_Latn");
}

}  // namespace webtongue
