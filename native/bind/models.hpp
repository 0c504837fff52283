// Models with the memory they read from, shared by the binding files.
#pragma once

#include "bind/arrays.hpp"
#include "fonts/detector.hpp"
#include "text/priors.hpp"

namespace webtongue {

using AllowMask = std::optional<View<uint8_t>>;

// A language model and its mapped memory.
struct Loaded {
    Model model;
    View<uint8_t> memory;
    StrList names;  // existing str objects, so that classify creates none
};

// A font model and its mapped memory.
struct LoadedFonts {
    View<uint8_t> memory;
    FontDetector detector;
};

inline const uint8_t* allow_mask(const Loaded& loaded, const AllowMask& allowed) {
    if (!allowed) return nullptr;
    if (allowed->shape(0) != loaded.model.label_count()) throw nb::value_error("allowed: one byte for each label of the model is needed");
    return allowed->data();
}

}  // namespace webtongue
