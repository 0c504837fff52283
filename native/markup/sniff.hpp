// Detects the syntax of a page: HTML, XHTML, XML, plain text, or none if there is no text.
#pragma once

#include <string>
#include <vector>

#include "markup/probe.hpp"
#include "markup/scan.hpp"

namespace webtongue {

// The kind of a Content-Type, as parsed by markup/sniff.py.
enum class Media : uint8_t { unknown, html, xhtml, xml, plain, not_language };

// The first bytes of a binary format.
struct Signature {
    size_t offset;
    std::string bytes;
};

enum class NoTextReason : uint8_t { none, signature, media, controls };

struct Sniffed {
    Syntax syntax = Syntax::text;
    NoTextReason no_text = NoTextReason::none;  // the reason if there is no text
    uint32_t signature = 0;           // number of the format, if its signature is the reason
};

constexpr size_t kSniffBytes = 4096;  // after leading blanks; doctypes and first tags come early

// If bytes and media type contradict each other, the bytes decide. `many_controls` is true if there are more control bytes than in text.
Sniffed sniff(Span page, Media media, bool many_controls, const std::vector<Signature>& formats);

}  // namespace webtongue
