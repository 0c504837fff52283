// The open elements of a page: which language and which kind of text is in scope.
#pragma once

#include "markup/tags.hpp"

namespace webtongue {

// A stack with HTML's implied end tags, as far as scopes need them. Every operation is constant time, amortised:
// a count of the open elements of each name tells at once when there is nothing to close.
class Scope {
public:
    struct Element {
        uint8_t tag = 0;
        uint16_t lang = 0;
        uint32_t flags = 0;  // its own
        uint32_t context = 0;  // heading, item, navigation: its own and inherited
    };

    uint16_t lang() const { return top().lang; }
    uint32_t context() const { return top().context; }

    // lang < 0: inherited
    void open(Tag tag, int lang) {
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
        e = {tag.id, lang < 0 ? parent.lang : static_cast<uint16_t>(lang), tag.flags, context};
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
        pop_through(tag.id, tag.id, stop, kNearby);
    }

private:
    static constexpr int kMaxDepth = 512;  // as in browsers
    static constexpr int kNearby = 128;    // how far up an end tag looks: keeps hostile nesting linear

    const Element& top() const { return stack_[depth_]; }

    void close_implied(Tag tag) {
        if (tag.flags & kClosesP && count_[kTagP]) pop_through(kTagP, kTagP, kBarrier, kNearby);
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

    void implied(uint8_t one, uint8_t other, uint32_t stop) {
        if (count_[one] || count_[other]) pop_through(one, other, stop, kNearby);
    }

    // Pop up to and with the nearest element of either name, unless one with a `stop` flag (or a table, for
    // rows and cells) lies in between.
    void pop_through(uint8_t one, uint8_t other, uint32_t stop, int reach) {
        const bool in_table = one == kTagTd || one == kTagTr || one == kTagTbody;
        int at = depth_;
        for (; at > 0 && depth_ - at < reach; --at) {
            const Element& e = stack_[at];
            if (e.tag == one || e.tag == other) break;
            if (e.flags & stop || (in_table && e.tag == kTagTable)) return;
        }
        if (at == 0 || depth_ - at >= reach) return;
        while (depth_ >= at) --count_[stack_[depth_--].tag];
    }

    Element stack_[kMaxDepth];
    uint16_t count_[256] = {};
    int depth_ = 0;
    size_t overflow_ = 0;
};

}  // namespace webtongue
