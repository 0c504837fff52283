// What goes over the border: views of arrays and bytes that Python holds, and arrays that it is given.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <vector>

#include "base/bytes.hpp"

namespace webtongue {

namespace nb = nanobind;

template <class T>
using View = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using View2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline Span span_of(const nb::bytes& b) {
    const Byte* p = static_cast<const Byte*>(b.data());
    return {p, p + b.size()};
}

// Values as a NumPy array that owns them.
template <class T>
nb::ndarray<nb::numpy, T> to_array(std::vector<T>&& values, std::initializer_list<size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}
template <class T>
nb::ndarray<nb::numpy, T> to_array(std::vector<T>&& values) {
    const size_t count = values.size();
    return to_array(std::move(values), {count});
}

// Refuses offsets that do not rise or end beyond `size`; how many stretches they cut.
template <class Offset>
size_t stretches_in(const View<Offset>& offsets, size_t size) {
    const size_t count = offsets.shape(0) == 0 ? 0 : offsets.shape(0) - 1;
    for (size_t i = 0; i < count; ++i)
        if (offsets.data()[i] > offsets.data()[i + 1] || static_cast<uint64_t>(offsets.data()[i + 1]) > size)
            throw nb::value_error("offsets must rise and end within the data");
    return count;
}

}  // namespace webtongue
