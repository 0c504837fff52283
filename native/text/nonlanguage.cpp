#include "text/nonlanguage.hpp"

#include "coding/misread.hpp"

namespace webtongue {

void look_for_nonlanguage(const Model& model, Span text, bool has_room, Reading& out) {
    out.misread = looks_misread(text);
    const bool fit = !out.guesses.empty() && fits(model, out.guesses.front(), out.features, out.unseen, 0);
    if (has_room || !fit || !looks_plain(text)) out.junk = look_for_junk(text);
}

}  // namespace webtongue
