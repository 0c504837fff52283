// libFuzzer target: the training kernels on any text, in shapes that the bindings accept. Run by `make fuzz`.
#include <algorithm>
#include <cmath>

#include "fuzz/check.hpp"
#include "fuzz/models.hpp"
#include "train/byte_context.hpp"
#include "train/bytes.hpp"
#include "train/table.hpp"
#include "train/url.hpp"

using namespace webtongue;

namespace {

constexpr size_t kLabels = 3;

// Offsets of the lines of the input.
struct Packed {
    std::vector<uint64_t> offsets{0};
    explicit Packed(Span text) {
        for (const Byte* p = text.begin; p < text.end; ++p)
            if (*p == '\n') offsets.push_back(static_cast<uint64_t>(p - text.begin) + 1);
        offsets.push_back(text.size());
    }
    size_t count() const { return offsets.size() - 1; }
};

void fuzz_table(Span text) {
    const Packed packed(text);
    const Lines lines{reinterpret_cast<const char*>(text.begin), packed.offsets.data(), packed.count()};
    std::vector<uint8_t> groups(lines.count), shares(lines.count);
    line_groups(lines, groups.data(), shares.data());
    const uint8_t group = groups.front();
    const std::vector<float> weights(lines.count, 1.0f);
    Counts counts;
    for (uint16_t label = 0; label < kLabels; ++label) counts.add(label, group, lines, weights.data(), label);
    counts.sort();
    std::vector<float> profiles(kLabels * 64);
    counts.profiles(profiles.data(), kLabels, 64);
    const std::vector<uint32_t> slots{0, 17, 1};
    Table table(counts, slots, {1, 1, 2}, {group, group, group}, TableConfig{16, 4, 2, 1e-4f, 0});
    table.prepare(0.5f);
    std::vector<uint32_t> truth(lines.count);
    for (size_t i = 0; i < truth.size(); ++i) truth[i] = slots[i % kLabels];
    const double loss = table.fit(lines, truth.data(), 0, table.clusters(), FitConfig{0.1f, 0.5f, 1, 0.5f, 0.1f}, 7);
    CHECK(std::isfinite(loss) && loss >= 0);
    for (const float weight : table.weights()) CHECK(std::isfinite(weight));
    CHECK(table.starts().back() * size_t{LANES} == table.weights().size());
}

void fuzz_bytes(Span text) {
    static const Memory memory(read_model("encodings.wtb"));
    static const ByteModel model(memory.span());
    const Packed packed(text);
    std::vector<Span> spans;
    std::vector<uint64_t> starts{0};
    std::vector<uint32_t> ids, order;
    constexpr uint32_t kFeatures = 64, kClasses = 5;
    for (size_t i = 0; i < packed.count() && i < 16; ++i) {
        spans.push_back({text.begin + packed.offsets[i], text.begin + packed.offsets[i + 1]});
        std::vector<uint32_t> keys;
        byte_ngrams(spans.back(), model.rule(), count_high_bytes(spans.back()).high, 64, keys);
        for (const uint32_t key : keys) ids.push_back(static_cast<uint32_t>(mix_key(key) % kFeatures));
        starts.push_back(ids.size());
        order.push_back(static_cast<uint32_t>(i));
    }
    std::vector<uint8_t> right(spans.size() * model.class_count()), some(spans.size() * kClasses);
    for (size_t i = 0; i < right.size(); i += 7) right[i] = 1;
    for (size_t i = 0; i < some.size(); i += 3) some[i] = i % 2 ? 1 : OWN;
    const std::vector<float> row_weights(spans.size(), 1);
    std::vector<float> weights(kFeatures * kClasses), sums(weights.size()), bias(kClasses), bias_sums(kClasses);
    CHECK(std::isfinite(fit_bytes(starts.data(), ids.data(), order.data(), order.size(), some.data(), row_weights.data(),
                                  ByteFit{kClasses, 0.5f, 1e-4f, 0.1f, 0.2f}, weights.data(), sums.data(), bias.data(), bias_sums.data())));
    const std::vector<int32_t> offsets(model.class_count(), 0);
    std::vector<float> contexts(1 << 10), context_sums(1 << 10);
    CHECK(std::isfinite(
        fit_contexts(model, spans, right.data(), offsets.data(), ContextFit{10, 0.1f, 1e-4f}, contexts.data(), context_sums.data())));
}

void fuzz_urls(Span text) {
    const Packed packed(text);
    const UrlTables tables{Suffixes("com\nde\n"), UrlCodes("de\tcode\tdeu_Latn\t900\n", {"deu_Latn"})};
    constexpr uint32_t kFeatures = 97;
    std::vector<uint64_t> starts{0};
    std::vector<uint32_t> ids, order;
    std::vector<uint8_t> parts;
    for (size_t i = 0; i < packed.count() && i < 16; ++i) {
        UrlFeatures features;
        url_features({reinterpret_cast<const char*>(text.begin) + packed.offsets[i], packed.offsets[i + 1] - packed.offsets[i]}, tables,
                     features);
        for (int k = 0; k < features.count; ++k) {
            ids.push_back(static_cast<uint32_t>(features.keys[k] % kFeatures));
            parts.push_back(static_cast<uint8_t>(features.kinds[k] & 7));
        }
        starts.push_back(ids.size());
        order.push_back(static_cast<uint32_t>(i));
    }
    const std::vector<float> values(ids.size(), 0.3f), row_weights(order.size(), 1);
    std::vector<uint16_t> truth(order.size());
    for (size_t i = 0; i < truth.size(); ++i) truth[i] = static_cast<uint16_t>(i % kLabels);
    const UrlRows rows{starts.data(), ids.data(), parts.data(), values.data(), order.size()};
    std::vector<float> weights(kFeatures * URL_LABELS), sums(weights.size()), bias(URL_LABELS), bias_sums(URL_LABELS),
        out(order.size() * URL_LABELS);
    CHECK(std::isfinite(fit_urls(rows, order.data(), order.size(), truth.data(), row_weights.data(),
                                 UrlFit{kLabels, 0.5f, 0.2f, 0.2f, 0.2f, 0.1f}, 3, weights.data(), sums.data(), bias.data(),
                                 bias_sums.data())));
    predict_urls(rows, weights.data(), bias.data(), out.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 1) return 0;
    const std::vector<Byte> copy = copy_bytes(data + 1, size - 1);
    void (*const targets[])(Span) = {fuzz_table, fuzz_bytes, fuzz_urls};
    targets[data[0] % 3](span_of(copy));
    return 0;
}
