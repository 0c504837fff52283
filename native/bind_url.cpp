// The Python face of URL features and of the URL model.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "loaded.hpp"
#include "url.hpp"
#include "url_train.hpp"

using namespace webtongue;

namespace {

template <class T>
using Out = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <class T>
nb::ndarray<nb::numpy, T> to_array(std::vector<T>&& values) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
}

// Features of many URLs in a row: starts, keys, kinds, and what each URL is (reason, text features, telling letters).
nb::tuple features_of(const Suffixes& suffixes, const nb::bytes& blob, View<uint64_t> offsets) {
    const size_t count = offsets.shape(0) == 0 ? 0 : offsets.shape(0) - 1;
    for (size_t i = 0; i < count; ++i)
        if (offsets.data()[i] > offsets.data()[i + 1] || offsets.data()[i + 1] > blob.size())
            throw nb::value_error("offsets must rise and end within the text");
    std::vector<uint64_t> starts{0}, keys;
    std::vector<uint8_t> kinds;
    std::vector<uint32_t> facts;
    {
        const char* text = blob.c_str();
        nb::gil_scoped_release release;
        UrlFeatures found;
        for (size_t i = 0; i < count; ++i) {
            url_features({text + offsets.data()[i], offsets.data()[i + 1] - offsets.data()[i]}, suffixes, found);
            keys.insert(keys.end(), found.keys, found.keys + found.count);
            kinds.insert(kinds.end(), found.kinds, found.kinds + found.count);
            starts.push_back(keys.size());
            facts.push_back(static_cast<uint32_t>(found.reason));
            facts.push_back(static_cast<uint32_t>(found.texts));
            facts.push_back(static_cast<uint32_t>(found.telling));
        }
    }
    return nb::make_tuple(to_array(std::move(starts)), to_array(std::move(keys)), to_array(std::move(kinds)), to_array(std::move(facts)));
}

UrlRows rows_of(View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> hosts, View<float> values) {
    return {starts.data(), ids.data(), hosts.data(), values.data(), starts.shape(0) - 1};
}

void bind_training(nb::module_& m) {
    m.def("url_features", &features_of, nb::arg("suffixes"), nb::arg("blob"), nb::arg("offsets"));
    m.def("fit_urls", [](View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> hosts, View<float> values, View<uint32_t> order,
                         View<uint16_t> truth, View<float> worth, float rate, float drop_host, float decay, float smooth,
                         uint64_t seed, Out<float> weights, Out<float> sums, Out<float> bias, Out<float> bias_sums) {
        const UrlFit config{static_cast<uint32_t>(bias.size()), rate, drop_host, decay, smooth};
        nb::gil_scoped_release release;
        return fit_urls(rows_of(starts, ids, hosts, values), order.data(), order.shape(0), truth.data(), worth.data(), config, seed,
                        weights.data(), sums.data(), bias.data(), bias_sums.data());
    });
    m.def("predict_urls", [](View<uint64_t> starts, View<uint32_t> ids, View<uint8_t> hosts, View<float> values, Out<const float> weights,
                             Out<const float> bias, Out<float> out) {
        nb::gil_scoped_release release;
        predict_urls(rows_of(starts, ids, hosts, values), static_cast<uint32_t>(bias.size()), weights.data(), bias.data(), out.data());
    });
}

nb::tuple split(const nb::bytes& url) {
    const UrlParts parts = split_url({url.c_str(), url.size()});
    const auto bytes = [](std::string_view s) { return nb::bytes(s.data(), s.size()); };
    return nb::make_tuple(static_cast<int>(parts.reason), parts.numeric, bytes(parts.host), bytes(parts.path), bytes(parts.query));
}

}  // namespace

void bind_url(nb::module_& m) {
    nb::class_<Suffixes>(m, "Suffixes")
        .def("__init__", [](Suffixes* self, const nb::bytes& rules) { new (self) Suffixes({rules.c_str(), rules.size()}); })
        .def("find", [](const Suffixes& s, const nb::bytes& host) { return s.find({host.c_str(), host.size()}); },
             "Where the public suffix of a lower-case host begins.");
    m.def("split_url", &split);
    bind_training(m);
}
