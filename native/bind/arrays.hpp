// Conversions between C++ and Python: views of arrays, bytes and strings that Python owns, and arrays that it receives.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

namespace nb = nanobind;

template <class T>
using ArrayView = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using View2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// A read-only view of one dimension. The stub accepts any buffer besides NumPy arrays, such as array.array and mmap.
template <class T>
struct View : ArrayView<T> {
    View() = default;
    View(ArrayView<T>&& array) : ArrayView<T>(std::move(array)) {}
};

using AnyList = nb::typed<nb::list, nb::any>;
using StrList = nb::typed<nb::list, nb::str>;

inline Span span_of(std::string_view text) {
    const Byte* p = reinterpret_cast<const Byte*>(text.data());
    return {p, p + text.size()};
}
inline Span span_of(const nb::bytes& bytes) { return span_of(std::string_view(bytes.c_str(), bytes.size())); }
inline Span span_of(const View<uint8_t>& memory) { return {memory.data(), memory.data() + memory.shape(0)}; }

inline std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

inline nb::bytes to_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }
inline nb::bytes to_bytes(Span span) { return nb::bytes(reinterpret_cast<const char*>(span.begin), span.size()); }
inline nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }

// The UTF-8 of a str or bytes.
inline std::string_view text_of(nb::handle text) {
    if (PyUnicode_Check(text.ptr())) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (data == nullptr) throw nb::python_error();  // lone surrogates: the caller encodes with errors="replace"
        return {data, static_cast<size_t>(size)};
    }
    if (PyBytes_Check(text.ptr())) return {PyBytes_AsString(text.ptr()), static_cast<size_t>(PyBytes_Size(text.ptr()))};
    throw nb::type_error("text must be str or bytes");
}

// The same for a list: the views are valid as long as its items are.
inline std::vector<std::string_view> texts_of(const AnyList& texts) {
    std::vector<std::string_view> views;
    views.reserve(texts.size());
    for (const nb::handle text : texts) views.push_back(text_of(text));
    return views;
}

// The values as a NumPy array that owns them.
template <class T>
Array<T> to_array(std::vector<T>&& values, std::initializer_list<size_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array<T>(owned->data(), shape, owner);
}
template <class T>
Array<T> to_array(std::vector<T>&& values) {
    const size_t count = values.size();
    return to_array(std::move(values), {count});
}

// Returns the number of spans between offsets. Throws unless the offsets rise and end within `size`.
template <class Offset>
size_t count_spans(const View<Offset>& offsets, size_t size) {
    const size_t count = offsets.shape(0) == 0 ? 0 : offsets.shape(0) - 1;
    for (size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<uint64_t>(offsets.data()[i]), end = static_cast<uint64_t>(offsets.data()[i + 1]);
        if (begin > end || end > size) throw nb::value_error("offsets must rise and end within the data");
    }
    return count;
}

}  // namespace webtongue

namespace nanobind::detail {

template <class T>
struct type_caster<webtongue::View<T>> {
    using Inner = make_caster<webtongue::ArrayView<T>>;
    NB_TYPE_CASTER(webtongue::View<T>, const_name("typing_extensions.Buffer | ") + Inner::Name)

    template <class Flags>
    bool from_python(handle source, Flags flags, cleanup_list* cleanup) noexcept {
        Inner inner;
        if (!inner.from_python(source, flags, cleanup)) return false;
        value = std::move(inner.value);
        return true;
    }
};

}  // namespace nanobind::detail
