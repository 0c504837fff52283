// The open elements of a page: which language and which kind of text is in scope.
#pragma once

#include "markup/places.hpp"

namespace webtongue {

// A stack with HTML's implied end tags, as far as scopes need them. Every operation takes amortised constant time: a count of the open
// elements of each name tells if there is nothing to close.
class Scope {
public:
    struct Element {
        uint8_t tag = 0;
        uint16_t lang = 0;
        uint32_t flags = 0;  // flags of its tag
        uint32_t context = 0;  // heading, item, navigation: own and inherited
        Place place;
    };

    uint16_t lang() const { return top().lang; }
    uint32_t context() const { return top().context; }
    const Place& place() const { return top().place; }

    // A negative `lang` is inherited; `marks` are those of the element itself, if places are needed.
    void open(Tag tag, int lang, uint32_t marks = 0) {
        close_implied(tag);
        if (depth_ + 1 >= kMaxDepth) {
            ++overflow_;
            return;
        }
        const Element& parent = top();
        uint32_t context = parent.context;
        if (tag.flags & (kHeading | kItem)) context &= ~(kHeading | kItem);
        context |= tag.flags & (kHeading | kItem | kNavigation);
        Element& e = stack_[++depth_];
        e = {tag.id, lang < 0 ? parent.lang : static_cast<uint16_t>(lang), tag.flags, context, parent.place};
        if (marks || tag.id == kTagTable || tag.id == kTagTr) enter(e, marks);
        ++count_[tag.id];
    }

    void close(Tag tag) {
        if (overflow_) {
            --overflow_;
            return;
        }
        if (!count_[tag.id]) return;
        // A cell or table ends whatever is open inside it; other blocks stop at a cell, inline tags at any block.
        const uint32_t stop = tag.flags & kBarrier || tag.id == kTagTr || tag.id == kTagTbody ? 0
                              : tag.flags & kBreak                                            ? kBarrier
                                                                                              : kBarrier | kBreak;
        pop_through(tag.id, tag.id, stop, kMaxSearchDepth);
    }

private:
    static constexpr int kMaxDepth = 512;  // the limit of browsers
    static constexpr int kMaxSearchDepth = 128;    // open elements that an end tag searches, so that hostile nesting takes linear time

    const Element& top() const { return stack_[depth_]; }

    void close_implied(Tag tag) {
        if (tag.flags & kClosesP && count_[kTagP]) pop_through(kTagP, kTagP, kBarrier, kMaxSearchDepth);
        switch (tag.id) {
            case kTagLi:
                implied(kTagLi, kTagLi, kBarrier | kList);
                break;
            case kTagDd:
            case kTagDt:
                implied(kTagDd, kTagDt, kBarrier | kList);
                break;
            case kTagOption:
            case kTagOptgroup:
                implied(kTagOption, kTagOption, kBarrier);
                break;
            case kTagTd:
            case kTagTh:
                implied(kTagTd, kTagTh, 0);
                break;
            case kTagTr:
                implied(kTagTr, kTagTr, 0);
                break;
            case kTagA:
                implied(kTagA, kTagA, kBarrier);
                break;
            default:
                break;
        }
    }

    // Sets the place of a new element, which starts as that of its parent.
    void enter(Element& e, uint32_t marks) {
        Place& place = e.place;
        if (marks & kMarkList) place.marks = (place.marks & ~kMarkOrdered) | (place.marks & kMarkList ? uint32_t{kMarkNested} : 0u);
        if (marks & kMarkLevel) place.marks &= ~kMarkLevel;
        place.marks |= marks & ~kMarkContainer;
        if (marks & kMarkContainer) place.container = ++containers_;
        if (e.tag == kTagTable) {
            place.table = ++tables_;
            place.row = 0;
            place.marks &= ~(kMarkList | kMarkNested | kMarkOrdered | kMarkHeaderCell);
        }
        if (e.tag == kTagTr) {
            place.row = ++rows_;
            place.column = 0;
        }
        if ((e.tag == kTagTd || e.tag == kTagTh) && stack_[depth_ - 1].tag == kTagTr) place.column = stack_[depth_ - 1].place.column++;
    }

    void implied(uint8_t first, uint8_t second, uint32_t stop) {
        if (count_[first] || count_[second]) pop_through(first, second, stop, kMaxSearchDepth);
    }

    // Pops elements through the nearest one of either name, unless one with a `stop` flag (or a table, for rows and cells) is in between.
    void pop_through(uint8_t first, uint8_t second, uint32_t stop, int max_depth) {
        const bool in_table = first == kTagTd || first == kTagTr || first == kTagTbody;
        int at = depth_;
        for (; at > 0 && depth_ - at < max_depth; --at) {
            const Element& e = stack_[at];
            if (e.tag == first || e.tag == second) break;
            if (e.flags & stop || (in_table && e.tag == kTagTable)) return;
        }
        if (at == 0 || depth_ - at >= max_depth) return;
        while (depth_ >= at) --count_[stack_[depth_--].tag];
    }

    Element stack_[kMaxDepth];
    uint16_t count_[256] = {};
    int depth_ = 0;
    size_t overflow_ = 0;
    uint32_t containers_ = 0, tables_ = 0, rows_ = 0;
};

}  // namespace webtongue
