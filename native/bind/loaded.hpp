// A model as Python holds it, shared by the files that bind it.
#pragma once

#include <optional>
#include <string_view>

#include "bind/arrays.hpp"
#include "fonts/guess.hpp"
#include "text/priors.hpp"

namespace webtongue {

using Asked = std::optional<View<uint8_t>>;

// A model and the mapped memory it reads from.
struct Loaded {
    Model model;
    View<uint8_t> memory;
    nb::object names;  // list of str, so that a classify call hands out strings that exist already
};

// A font model over memory that lives as long as it does.
struct LoadedFonts {
    nb::object memory;
    FontGuess guess;
};

inline const uint8_t* mask_of(const Loaded& loaded, const Asked& asked) {
    if (!asked) return nullptr;
    if (asked->shape(0) != loaded.model.label_count()) throw nb::value_error("asked: one byte for each label of the model is needed");
    return asked->data();
}

inline std::string_view text_of(nb::handle text) {
    if (PyUnicode_Check(text.ptr())) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (data == nullptr) throw nb::python_error();  // lone surrogates: the caller encodes with errors="replace"
        return {data, static_cast<size_t>(size)};
    }
    if (PyBytes_Check(text.ptr())) return {PyBytes_AS_STRING(text.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(text.ptr()))};
    throw nb::type_error("text must be str or bytes");
}

}  // namespace webtongue
