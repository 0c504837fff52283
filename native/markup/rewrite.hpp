// Replaces the text of a scanned page by its decoded text, chunk by chunk.
#pragma once

#include <algorithm>
#include <new>

#include "markup/scan.hpp"

namespace webtongue {

// Takes a scan with references held back. Chunks of its text in UTF-8 are appended in order; every placeholder is replaced by the
// characters of its reference, and line feeds still end blocks.
class Rewrite {
public:
    explicit Rewrite(Scan&& from) : scan_(std::move(from)) {
        visible_ =
            std::count_if(scan_.blocks.begin(), scan_.blocks.end(), [this](const Block& b) { return b.text_end <= scan_.visible_size; });
        reference_ = scan_.references.data();
        raw_ = std::move(scan_.text);
        raw_size_ = scan_.text_size;
    }

    // Returns part of the scanned text, to be decoded and appended.
    Span raw(size_t begin, size_t end) const {
        end = std::min(end, raw_size_);
        begin = std::min(begin, end);
        return {raw_.get() + begin, raw_.get() + end};
    }
    size_t raw_size() const { return raw_size_; }

    void append(Span chunk) {
        for (const Byte* p = chunk.begin; p < chunk.end;) {
            const Byte* stop = p;
            while (stop < chunk.end && *stop != kPlaceholder && *stop != '\n') ++stop;
            put(p, static_cast<size_t>(stop - p));
            if (stop < chunk.end && *stop == '\n') end_block();
            else if (stop < chunk.end) put_reference();
            p = stop + 1;
        }
    }

    Scan finish() {
        while (block_ < scan_.blocks.size()) scan_.blocks[block_++].text_end = static_cast<uint32_t>(size_);
        scan_.visible_size = visible_ ? scan_.blocks[visible_ - 1].text_end : 0;
        scan_.text_size = size_;
        scan_.references.clear();
        if (!text_) put(nullptr, 0);
        scan_.text = std::move(text_);
        raw_.reset();
        return std::move(scan_);
    }

private:
    void put(const void* bytes, size_t n) {
        if (size_ + n > capacity_ || !text_) {
            capacity_ = std::max<size_t>({size_ + n, capacity_ + capacity_ / 2, raw_size_ + raw_size_ / 2 + scan_.references.size() + 64});
            Byte* grown = static_cast<Byte*>(std::realloc(text_.get(), capacity_));
            if (!grown) throw std::bad_alloc();
            static_cast<void>(text_.release());
            text_.reset(grown);
        }
        if (n) std::memcpy(text_.get() + size_, bytes, n);
        size_ += n;
    }

    void end_block() {
        if (block_ < scan_.blocks.size()) scan_.blocks[block_++].text_end = static_cast<uint32_t>(size_);
        put("\n", 1);
    }

    void put_reference() {
        const char* end = scan_.references.data() + scan_.references.size();
        const char* stop = std::find(reference_, end, static_cast<char>(kPlaceholder));
        put(reference_, static_cast<size_t>(stop - reference_));
        reference_ = stop < end ? stop + 1 : end;
    }

    Scan scan_;
    std::unique_ptr<Byte, Free> raw_, text_;
    size_t raw_size_ = 0;
    size_t size_ = 0, capacity_ = 0, block_ = 0;
    size_t visible_ = 0;
    const char* reference_ = nullptr;
};

}  // namespace webtongue
