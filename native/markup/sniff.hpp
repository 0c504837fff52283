// What kind of thing the bytes are: HTML, XHTML, XML, plain text, or nothing that can be read.
#pragma once

#include <string>
#include <vector>

#include "markup/probe.hpp"
#include "markup/scan.hpp"

namespace webtongue {

// What a Content-Type says; markup/sniff.py reads it.
enum class Media : uint8_t { unknown, html, xhtml, xml, plain, not_language };

// How the first bytes of a format look that holds no text.
struct Signature {
    size_t offset;
    std::string bytes;
};

enum class Nothing : uint8_t { none, signature, media, controls };

struct Sniffed {
    Syntax syntax = Syntax::text;
    Nothing nothing = Nothing::none;  // why there is nothing to read
    uint32_t signature = 0;           // number of the format, where its signature says so
};

constexpr size_t kSniffed = 4096;  // bytes looked at: doctypes and first tags come early

// Where bytes and media type contradict each other, the bytes win. `many_controls`: more than text ever has.
Sniffed sniff(Span page, Media media, bool many_controls, const std::vector<Signature>& formats);

}  // namespace webtongue
