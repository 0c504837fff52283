#include "charset/byte_context.hpp"

#include <cstring>

namespace webtongue {

void find_contexts(Span text, const bool* wanted, std::vector<ByteContext>& contexts) {
    uint8_t counts[256] = {};
    ByteContext known[128][MAX_CONTEXTS_PER_BYTE];
    for (const Byte* p = text.begin; p < text.end; ++p) {
        if (*p < 0x80 || !wanted[*p] || counts[*p] == MAX_CONTEXTS_PER_BYTE) continue;
        ByteContext context;
        for (size_t i = 0; i < CONTEXT_SIZE; ++i) {
            const ptrdiff_t offset = p - text.begin + static_cast<ptrdiff_t>(i) - static_cast<ptrdiff_t>(CONTEXT_SIZE / 2);
            context.bytes[i] = offset < 0 || static_cast<size_t>(offset) >= text.size() ? 0x20 : text.begin[offset];
        }
        bool is_known = false;
        for (size_t i = 0; i < counts[*p]; ++i) is_known |= std::memcmp(known[*p - 0x80][i].bytes, context.bytes, CONTEXT_SIZE) == 0;
        if (is_known) continue;
        known[*p - 0x80][counts[*p]++] = context;
        contexts.push_back(context);
    }
}

}  // namespace webtongue
