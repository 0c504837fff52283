// The container format of all model files, read and checked in one place; files.py writes it.
//
// Magic, version, number of sections, size and checksum; a directory; then the sections, each at a multiple of 64 bytes. All numbers are
// little-endian. An invalid file is refused with std::invalid_argument and a sentence. The checksum is not verified here: a model is
// mapped and not read, so that opening it is instant. Models must not read or write out of bounds whatever a section contains.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// Throws std::invalid_argument with the sentence unless the condition holds.
void require(bool holds, const char* sentence);

// A section as records of one type.
template <class T>
struct Records {
    const T* data = nullptr;
    size_t count = 0;
    const T* begin() const { return data; }
    const T* end() const { return data + count; }
    const T& operator[](size_t i) const { return data[i]; }
};

class Container {
public:
    struct Format {
        const char* magic;  // 7 bytes and a NUL
        uint32_t version, sections;
    };

    // The memory must outlive the container and everything taken from it.
    Container(Span file, const Format& format);

    std::string_view text(size_t section) const { return sections_[section]; }

    // The lines of a section: `min_count` to `max_count` distinct names in printable ASCII without spaces.
    std::vector<std::string_view> names(size_t section, size_t min_count, size_t max_count) const;

    // A section as records, refused with `sentence` unless their number is whole.
    template <class T>
    Records<T> records(size_t section, const char* sentence) const {
        static_assert(alignof(T) <= kAlign, "sections are aligned");
        require(sections_[section].size() % sizeof(T) == 0, sentence);
        return {reinterpret_cast<const T*>(sections_[section].data()), sections_[section].size() / sizeof(T)};
    }
    // The same with exactly `count` records.
    template <class T>
    Records<T> records(size_t section, size_t count, const char* sentence) const {
        const Records<T> section_records = records<T>(section, sentence);
        require(section_records.count == count, sentence);
        return section_records;
    }

    static constexpr size_t kAlign = 64;

private:
    std::vector<std::string_view> sections_;
};

// Tables that models share, so that probabilities are the same bits on every machine.
constexpr size_t kExpSteps = 4096;  // exp(-i / 256), scaled by 2^30
constexpr size_t kLogSteps = 256;  // ln(1 + i / 256) in 1/LOG_SCALE nats
constexpr uint32_t kMaxScale = 1 << 25;  // half a nat per unit of weight; keeps the sums of damaged files within int32
constexpr int32_t kMaxBias = 1 << 24;

const uint32_t* read_exps(const Container& file, size_t section);  // must fall from 2^30
const uint32_t* read_logs(const Container& file, size_t section);  // must rise from 0 and stay below ln 2
// Nats per unit of weight, in 1/LOG_SCALE nats times 65536: at least one scale, none above kMaxScale.
Records<uint32_t> read_scales(const Container& file, size_t section);
// One bias per name, none beyond kMaxBias.
const int32_t* read_biases(const Container& file, size_t section, size_t count);

// Throws unless all labels have the form eng_Latn.
void require_labels(const std::vector<std::string_view>& names);

}  // namespace webtongue
