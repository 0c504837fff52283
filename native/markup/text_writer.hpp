// Writes the text of a scan: folds whitespace, resolves references and ends blocks.
#pragma once

#include <algorithm>
#include <new>

#include "markup/entities.hpp"
#include "markup/scan.hpp"

namespace webtongue {

// The buffer is large enough from the start, since unused pages of it take no memory: a resolved reference is not longer than its source,
// except a few of six bytes with a source of five, and a byte of a single-byte encoding becomes at most three.
class TextWriter {
public:
    TextWriter(Span page, const ScanOptions& options, Scan& scan)
        : page_(page), utf8_(options.utf8), high_half_(options.high_half), scan_(scan), max_blocks_(page.size() / 16 + 1024) {
        const size_t capacity = page.size() * (high_half_ ? 3 : 1) + page.size() / 4 + 64;
        buffer_.reset(static_cast<Byte*>(std::malloc(capacity)));
        if (!buffer_) throw std::bad_alloc();
        put_ = block_ = buffer_.get();
        if (!options.text_only) scan.blocks.reserve(max_blocks_ + 1);
    }

    // Copies text up to the next `<` or `stop`, and returns that position. Runs without references, control bytes and double spaces are
    // copied sixteen bytes at a time.
    template <bool kMarkup>
    const Byte* copy(const Byte* p, const Byte* stop) {
        while (p < stop) {
            const Byte c = *p;
            if (kMarkup && c == '<') return p;
            if (is_space(c)) {
                while (p < stop && is_space(*p)) ++p;
                pending_ = true;
            } else if (kMarkup && c == '&') {
                p = reference(p, stop);
            } else if (c == 0 || (c == kPlaceholder && !utf8_)) {
                ++p;
            } else {
                begin_text(p);
                p = high_half_ ? copy_mapped<kMarkup>(p, stop) : copy_run<kMarkup>(p, stop);
            }
        }
        return p;
    }

    // Copies one byte that only looks like markup.
    const Byte* literal(const Byte* p) {
        begin_text(p);
        *put_++ = *p;
        page_end_ = p + 1;
        return p + 1;
    }

    bool block_empty() const { return put_ == block_; }
    size_t size() const { return static_cast<size_t>(put_ - buffer_.get()); }
    size_t next_position() const { return size() + (pending_ && !block_empty()); }
    bool linked() const { return !plain_; }
    void set_in_link(bool in_link) { in_link_ = in_link; }
    void enter_attributes() { in_attribute_ = true; }

    // Ends the block if it has text. `blocks` is null if only the text is needed.
    void end_block(std::vector<Block>* blocks, Kind kind, uint16_t lang) {
        pending_ = !block_empty();
        if (!pending_) return;
        if (blocks) {
            if (blocks->size() >= max_blocks_) {
                scan_.truncated = true;  // the rest of the page is one block
                return;
            }
            push(*blocks, kind, lang);
        }
        *put_++ = '\n';
        block_ = put_;
        pending_ = plain_ = false;
    }

    // Ends the text; nothing may be written afterwards.
    void finish(std::vector<Block>* blocks, Kind kind, uint16_t lang) {
        if (!block_empty() && blocks) push(*blocks, kind, lang);
        else if (block_empty() && put_ > buffer_.get()) --put_;
        scan_.text_size = size();
        Byte* fitted = static_cast<Byte*>(std::realloc(buffer_.get(), std::max<size_t>(scan_.text_size, 1)));
        if (fitted) {
            static_cast<void>(buffer_.release());
            buffer_.reset(fitted);
        }
        scan_.text = std::move(buffer_);
    }

private:
    void begin_text(const Byte* p) {
        if (put_ == block_) page_begin_ = p;
        else if (pending_) *put_++ = ' ';
        pending_ = false;
        plain_ |= !in_link_;
    }

    void push(std::vector<Block>& blocks, Kind kind, uint16_t lang) {
        const auto offset = [this](const Byte* p) { return static_cast<uint32_t>(p - page_.begin); };
        blocks.push_back({static_cast<uint32_t>(size()), offset(page_begin_), offset(page_end_), lang, kind, 0});
    }

    template <bool kMarkup>
    const Byte* copy_run(const Byte* p, const Byte* stop) {
        Byte* put = put_;
#ifdef WEBTONGUE_SSE2
        const __m128i space = _mm_set1_epi8(' '), control = _mm_set1_epi8(0x1F);
        const __m128i less = _mm_set1_epi8('<'), ampersand = _mm_set1_epi8('&');
        unsigned after_space = 0;  // the first byte of a run is not a space
        while (stop - p >= 16) {
            const __m128i chunk = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
            __m128i special = _mm_cmpeq_epi8(_mm_min_epu8(chunk, control), chunk);
            if (kMarkup) special = _mm_or_si128(special, _mm_or_si128(_mm_cmpeq_epi8(chunk, less), _mm_cmpeq_epi8(chunk, ampersand)));
            const unsigned spaces = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(chunk, space)));
            const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(special)) | (spaces & (spaces << 1 | after_space));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(put), chunk);
            if (mask) {
                const int n = lowest_bit(mask);
                return end_run(p + n, put + n);
            }
            after_space = spaces >> 15;
            p += 16;
            put += 16;
        }
#endif
        for (; p < stop; ++p) {
            const Byte c = *p;
            if (c < 0x20 || (kMarkup && (c == '<' || c == '&')) || (c == ' ' && put > put_ && put[-1] == ' ')) break;
            *put++ = c;
        }
        return end_run(p, put);
    }

    // Copies a run in a single-byte encoding, up to the next whitespace or markup.
    template <bool kMarkup>
    const Byte* copy_mapped(const Byte* p, const Byte* stop) {
        for (; p < stop; ++p) {
            const Byte c = *p;
            if (c >= 0x80) put_ = put_utf8(put_, high_half_[c - 0x80]);
            else if (c == 0 || is_space(c) || (kMarkup && (c == '<' || c == '&'))) break;
            else *put_++ = c;
        }
        page_end_ = p;
        return p;
    }

    const Byte* end_run(const Byte* p, Byte* put) {
        page_end_ = p;
        if (put == put_) {  // a control byte that is not whitespace is kept
            *put++ = *p++;
            page_end_ = p;
        } else if (put[-1] == ' ') {
            --put;
            --page_end_;
            pending_ = true;
        }
        put_ = put;
        return p;
    }

    const Byte* reference(const Byte* p, const Byte* stop) {
        const Reference r = read_reference(p, stop, in_attribute_);
        if (r.length == 0) return literal(p);
        if (r.count == 1 && r.points[0] < 0x80 && is_space(static_cast<Byte>(r.points[0]))) {
            pending_ = true;
            return p + r.length;
        }
        if (r.count) {
            begin_text(p);
            put_points(r);
            page_end_ = p + r.length;
        }
        return p + r.length;
    }

    void put_points(const Reference& r) {
        if (utf8_ || (r.count == 1 && r.points[0] < 0x80)) {
            for (int i = 0; i < r.count; ++i) {
                put_ = put_utf8(put_, r.points[i]);
                scan_.referenced += r.points[i] >= 0x80;
            }
            return;
        }
        Byte buffer[8];
        Byte* end = buffer;
        for (int i = 0; i < r.count; ++i) end = put_utf8(end, r.points[i]);
        *put_++ = kPlaceholder;
        scan_.references.append(reinterpret_cast<const char*>(buffer), static_cast<size_t>(end - buffer));
        scan_.references.push_back(static_cast<char>(kPlaceholder));
    }

    Span page_;
    bool utf8_;
    const uint16_t* high_half_;
    Scan& scan_;
    size_t max_blocks_;
    std::unique_ptr<Byte, Free> buffer_;
    Byte* put_;
    Byte* block_;
    const Byte* page_begin_ = nullptr;
    const Byte* page_end_ = nullptr;
    bool pending_ = false;   // whitespace was read but not written yet
    bool plain_ = false;     // the block has text outside of links
    bool in_link_ = false;
    bool in_attribute_ = false;
};

}  // namespace webtongue
