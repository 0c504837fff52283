// The place of a block of text in the structure of its page: headings, lists, tables, quotations, and elements around the main text.
#pragma once

#include <string>
#include <vector>

#include "markup/attributes.hpp"
#include "markup/tags.hpp"

namespace webtongue {

// Marks of a block: those of all elements around it.
enum Mark : uint32_t {
    kMarkLevel = 7,              // level of the heading around it, 0 if there is none
    kMarkQuote = 1 << 3,         // blockquote
    kMarkCode = 1 << 4,          // pre and similar
    kMarkHeaderCell = 1 << 5,    // th
    kMarkOrdered = 1 << 6,       // the innermost list is numbered
    kMarkTerm = 1 << 7,          // dt
    kMarkCaption = 1 << 8,       // figcaption, caption
    kMarkMain = 1 << 9,          // main, article
    kMarkAside = 1 << 10,        // aside
    kMarkHeader = 1 << 11,       // header
    kMarkControl = 1 << 12,      // button, label, legend, option
    kMarkHidden = 1 << 13,       // not shown, by an attribute
    kMarkChrome = 1 << 14,       // a class, id or role names a menu, banner, side bar or similar
    kMarkContainer = 1 << 15,    // the element may contain several blocks; not inherited
    kMarkNested = 1 << 16,       // in a list inside a list
    kMarkList = 1 << 17,         // in a list
};

struct Place {
    uint32_t marks = 0;
    uint32_t container = 0;  // number of the nearest element that may contain several blocks
    uint32_t table = 0;      // number of the nearest table, 0 if there is none
    uint32_t row = 0;        // number of its row, over all tables
    uint32_t column = 0;
};

// Words of classes, ids and roles that name what surrounds the main text of a page.
class ClassWords {
public:
    explicit ClassWords(const std::vector<std::string>& words);
    // True if one of the words in a value is listed. Words end at other characters than letters, and where a capital follows a small
    // letter.
    bool contain(Span value) const;

private:
    std::vector<uint64_t> hashes_;  // sorted
};

// The marks of an element by its name.
uint32_t marks_of(Span name);

// The marks that an attribute adds to its element.
uint32_t marks_of(const Attribute& attribute, const ClassWords& words);

}  // namespace webtongue
