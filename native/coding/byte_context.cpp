#include "coding/byte_context.hpp"

#include <cstring>

namespace webtongue {

void contexts_of(Span text, const bool* wanted, std::vector<ByteContext>& out) {
    uint8_t seen[256] = {};
    ByteContext kept[128][CONTEXTS_EACH];
    for (const Byte* p = text.begin; p < text.end; ++p) {
        if (*p < 0x80 || !wanted[*p] || seen[*p] == CONTEXTS_EACH) continue;
        ByteContext context;
        for (size_t i = 0; i < CONTEXT_SIZE; ++i) {
            const ptrdiff_t place = p - text.begin + static_cast<ptrdiff_t>(i) - static_cast<ptrdiff_t>(CONTEXT_SIZE / 2);
            context.at[i] = place < 0 || static_cast<size_t>(place) >= text.size() ? 0x20 : text.begin[place];
        }
        bool known = false;
        for (size_t i = 0; i < seen[*p]; ++i) known |= std::memcmp(kept[*p - 0x80][i].at, context.at, CONTEXT_SIZE) == 0;
        if (known) continue;
        kept[*p - 0x80][seen[*p]++] = context;
        out.push_back(context);
    }
}

}  // namespace webtongue
