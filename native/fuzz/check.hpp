// Shared by the fuzz targets: a check that aborts the process, and views of memory.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/utf.hpp"
#include "markup/scan.hpp"

#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                        \
        }                                                                        \
    } while (0)

namespace webtongue {

inline Span span_of(const std::string& s) {
    const Byte* p = reinterpret_cast<const Byte*>(s.data());
    return {p, p + s.size()};
}
inline Span span_of(const std::vector<Byte>& bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }
inline Span text_of(const Scan& s) { return {s.text.get(), s.text.get() + s.text_size}; }

// A copy of exact size, so that a read past the end is detected.
inline std::vector<Byte> copy_bytes(const uint8_t* data, size_t size) { return std::vector<Byte>(data, data + size); }

}  // namespace webtongue
