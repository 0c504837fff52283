#include "coding/byte_context.hpp"

#include <cstring>

namespace webtongue {

void windows_of(Span text, const bool* wanted, std::vector<Window>& out) {
    uint8_t seen[256] = {};
    Window kept[128][WINDOWS_EACH];
    for (const Byte* p = text.begin; p < text.end; ++p) {
        if (*p < 0x80 || !wanted[*p] || seen[*p] == WINDOWS_EACH) continue;
        Window w;
        for (size_t i = 0; i < WINDOW; ++i) {
            const ptrdiff_t place = p - text.begin + static_cast<ptrdiff_t>(i) - static_cast<ptrdiff_t>(WINDOW / 2);
            w.at[i] = place < 0 || static_cast<size_t>(place) >= text.size() ? 0x20 : text.begin[place];
        }
        bool known = false;
        for (size_t i = 0; i < seen[*p]; ++i) known |= std::memcmp(kept[*p - 0x80][i].at, w.at, WINDOW) == 0;
        if (known) continue;
        kept[*p - 0x80][seen[*p]++] = w;
        out.push_back(w);
    }
}

}  // namespace webtongue
