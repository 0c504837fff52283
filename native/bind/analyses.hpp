// A batch of analysed pages.
#pragma once

#include "bind/text_reader.hpp"
#include "page/flow.hpp"

namespace webtongue {

struct Analyses {
    Analyses() = default;
    Analyses(Analyses&&) = default;
    Analyses(const Analyses&) = delete;  // a scan is moved, never copied

    std::vector<Analysis> pages;
    std::vector<uint8_t> present;
};

}  // namespace webtongue

void bind_analyses(nanobind::module_& m);
