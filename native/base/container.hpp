// The container that every model file is in, read and checked in one place; files.py writes it.
//
// Magic, version, number of sections, size and checksum; a directory; then the sections, each at a multiple of 64 bytes.
// Little-endian throughout. What does not fit is refused with std::invalid_argument and a sentence. The checksum is not
// proved here: a model is mapped and not read, so that opening it costs nothing. Whatever a section holds, models must
// not read or write out of bounds with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

// Refuses a file that does not hold what the sentence says.
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
        const char* magic;  // 7 bytes and the NUL after them
        uint32_t version, sections;
    };

    // Over memory that outlives it and all that is taken from it.
    Container(Span file, const Format& format);

    std::string_view text(size_t section) const { return parts_[section]; }

    // The lines of a section: `least` to `most` names, none empty, none twice, in printable ASCII without spaces.
    std::vector<std::string_view> names(size_t section, size_t least, size_t most) const;

    // A section of whole records; the sentence is what is wrong where they are not whole.
    template <class T>
    Records<T> records(size_t section, const char* sentence) const {
        static_assert(alignof(T) <= kAlign, "sections are aligned");
        require(parts_[section].size() % sizeof(T) == 0, sentence);
        return {reinterpret_cast<const T*>(parts_[section].data()), parts_[section].size() / sizeof(T)};
    }
    // The same of exactly so many.
    template <class T>
    Records<T> records(size_t section, size_t count, const char* sentence) const {
        const Records<T> found = records<T>(section, sentence);
        require(found.count == count, sentence);
        return found;
    }

    static constexpr size_t kAlign = 64;

private:
    std::vector<std::string_view> parts_;
};

// Tables that models share, so that probabilities are the same bits on every machine.
constexpr size_t kExpSteps = 4096;  // exp(-i / 256), scaled by 2^30
constexpr size_t kLogSteps = 256;   // ln(1 + i / 256) in 1/1024 nats
constexpr uint32_t kMostScale = 1 << 25;  // of a scale: half a nat for a unit of weight; sums of damaged files stay within int32 by it
constexpr int32_t kMostBias = 1 << 24;

const uint32_t* exps_in(const Container& file, size_t section);    // fall from 2^30
const uint32_t* logs_in(const Container& file, size_t section);    // rise from 0 and stay below ln 2
// What a unit of weight is worth, 1/1024 nats times 65536: at least one, none above kMostScale.
Records<uint32_t> scales_in(const Container& file, size_t section);
// One for each name, none beyond kMostBias.
const int32_t* biases_in(const Container& file, size_t section, size_t count);

// Refuses labels that are not of the form eng_Latn.
void require_labels(const std::vector<std::string_view>& names);

}  // namespace webtongue
