// Python bindings of batches of analysed pages: columns of results as arrays.
#include "bind/analyses.hpp"
#include "markup/outlinks.hpp"
#include "text/log_odds.hpp"

namespace webtongue {
namespace {

// Columns: stop (255 for a value that is not a page), label, confidence, reliable, tier, reason, group, group confidence, script, is ASCII.
auto columns_of(const Analyses& batch) {
    const size_t count = batch.pages.size();
    std::vector<uint8_t> stop(count), reliable(count), tier(count), reason(count), script(count), ascii(count);
    std::vector<int32_t> label(count);
    std::vector<int16_t> group(count);
    std::vector<double> confidence(count), group_confidence(count);
    for (size_t i = 0; i < count; ++i) {
        const Analysis& page = batch.pages[i];
        const Decision& d = page.read.decision;
        stop[i] = batch.present[i] ? static_cast<uint8_t>(page.stop) : 0xFF;
        label[i] = d.label;
        confidence[i] = d.confidence;
        reliable[i] = d.reliable;
        tier[i] = d.tier;
        reason[i] = static_cast<uint8_t>(d.reason);
        group[i] = d.group;
        group_confidence[i] = d.group_confidence;
        script[i] = page.read.reading.main_script;
        ascii[i] = page.utf8.multibyte == 0;
    }
    return std::make_tuple(to_array(std::move(stop)), to_array(std::move(label)), to_array(std::move(confidence)),
                           to_array(std::move(reliable)), to_array(std::move(tier)), to_array(std::move(reason)),
                           to_array(std::move(group)), to_array(std::move(group_confidence)), to_array(std::move(script)),
                           to_array(std::move(ascii)));
}

std::vector<nb::bytes> declarations_of(const Analyses& batch) {
    std::vector<nb::bytes> out;
    for (const Analysis& page : batch.pages) out.push_back(to_bytes(page.declarations));
    return out;
}

Analysis& page_at(Analyses& batch, size_t i) {
    if (i >= batch.pages.size()) throw nb::index_error();
    return batch.pages[i];
}

template <class F>
Array<uint8_t> byte_column(const Analyses& batch, F&& value) {
    std::vector<uint8_t> out;
    for (const Analysis& page : batch.pages) out.push_back(static_cast<uint8_t>(value(page)));
    return to_array(std::move(out));
}

// Columns: letters, bytes of visible text, syntax, bits of text and prior for the best guess against the next. Then the likeliest labels by
// the text alone, at most `max_labels` per page: the start of each page, the labels, and their log-likelihoods in nats.
auto details_of(const Analyses& batch, const TextReader& text, size_t max_labels) {
    const size_t count = batch.pages.size();
    std::vector<uint32_t> letters(count);
    std::vector<int64_t> text_bytes(count);
    std::vector<uint8_t> syntax(count);
    std::vector<float> text_bits(count), prior_bits(count), logs;
    std::vector<int32_t> starts{0}, labels;
    for (size_t i = 0; i < count; ++i) {
        const Analysis& page = batch.pages[i];
        const Reading& reading = page.read.reading;
        letters[i] = reading.letters;
        text_bytes[i] = static_cast<int64_t>(page.scan.visible_size);
        syntax[i] = static_cast<uint8_t>(page.sniffed.syntax);
        const EvidenceBits bits = evidence_bits(text.model(), text.priors(), reading);
        text_bits[i] = static_cast<float>(bits.text);
        prior_bits[i] = static_cast<float>(bits.prior);
        const std::vector<Guess>& guesses = reading.text_guesses.empty() ? reading.guesses : reading.text_guesses;
        for (size_t g = 0; g < guesses.size() && g < max_labels; ++g) {
            labels.push_back(guesses[g].label);
            logs.push_back(static_cast<float>(log_likelihood(text.model(), text.priors(), reading, guesses[g])));
        }
        starts.push_back(static_cast<int32_t>(labels.size()));
    }
    return std::make_tuple(to_array(std::move(letters)), to_array(std::move(text_bytes)), to_array(std::move(syntax)),
                           to_array(std::move(text_bits)), to_array(std::move(prior_bits)), to_array(std::move(starts)),
                           to_array(std::move(labels)), to_array(std::move(logs)));
}

// Concatenated texts with offsets, in the layout of Arrow.
struct Texts {
    std::vector<int32_t> ends{0};
    std::string data;
    void add(const std::string& text) {
        data += text;
        ends.push_back(static_cast<int32_t>(data.size()));
    }
    auto take() { return std::make_tuple(to_array(std::move(ends)), to_bytes(data)); }
};

// The links of all pages with a label, in the order of pages: the page, URL, anchor text and hreflang of each. `pages` are the bytes that
// were analysed, `hosts` their hosts.
auto all_outlinks(const Analyses& batch, const AnyList& pages, const AnyList& hosts) {
    const size_t count = batch.pages.size();
    if (pages.size() != count || hosts.size() != count) throw nb::value_error("pages, hosts: one for each page is needed");
    std::vector<Span> sources(count), own_hosts(count);
    for (size_t i = 0; i < count; ++i) {
        const bool answered = batch.present[i] && batch.pages[i].stop == Stop::done && batch.pages[i].read.decision.label != kNoLabel;
        if (!answered || !PyBytes_Check(pages[i].ptr())) continue;
        sources[i] = span_of(nb::borrow<nb::bytes>(pages[i]));
        own_hosts[i] = span_of(nb::cast<nb::bytes>(hosts[i]));
    }
    std::vector<int32_t> link_pages;
    Texts urls, anchors, hreflangs;
    {
        nb::gil_scoped_release release;
        for (size_t i = 0; i < count; ++i) {
            if (!sources[i].begin) continue;
            for (const Outlink& link : outlinks(batch.pages[i].scan, sources[i], own_hosts[i])) {
                if (urls.data.size() > INT32_MAX / 2) break;
                link_pages.push_back(static_cast<int32_t>(i));
                urls.add(link.url);
                anchors.add(link.anchor);
                hreflangs.add(link.hreflang);
            }
        }
    }
    return std::make_tuple(to_array(std::move(link_pages)), urls.take(), anchors.take(), hreflangs.take());
}

auto outlinks_of(const Scan& scan, const nb::bytes& source, const nb::bytes& host) {
    std::vector<Outlink> links;
    {
        const Span page = span_of(source), own_host = span_of(host);
        nb::gil_scoped_release release;
        links = outlinks(scan, page, own_host);
    }
    std::vector<std::tuple<nb::str, nb::str, nb::str>> out;
    for (const Outlink& link : links) out.emplace_back(to_str(link.url), to_str(link.anchor), to_str(link.hreflang));
    return out;
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_analyses(nb::module_& m) {
    nb::class_<Analyses>(m, "Analyses")
        .def("__len__", [](const Analyses& batch) { return batch.pages.size(); })
        .def("columns", &columns_of)
        .def("declarations", &declarations_of)
        .def("outlinks", &all_outlinks, nb::arg("pages"), nb::arg("hosts"))
        .def("details", &details_of, nb::arg("text"), nb::arg("most"))
        .def(
            "scan", [](Analyses& batch, size_t i) -> Scan& { return page_at(batch, i).scan; }, nb::rv_policy::reference_internal)
        .def("languages", [](Analyses& batch, const TextReader& text, size_t i) { return text.languages(page_at(batch, i).read); })
        .def("settled",
             [](const Analyses& batch) {
                 return byte_column(batch, [](const Analysis& page) { return page.stop == Stop::done && page.read.decision.settled; });
             })
        .def("holder_count",
             [](const Analyses& batch) {
                 return byte_column(batch,
                                    [](const Analysis& page) { return std::min<size_t>(page.read.decision.languages.size(), 0xFF); });
             })
        .def("answer", [](Analyses& batch, const TextReader& text, size_t i) { return text.answer(page_at(batch, i).read); })
        .def(
            "reading", [](Analyses& batch, size_t i) -> DecidedReading& { return page_at(batch, i).read; },
            nb::rv_policy::reference_internal)
        .def("take", [](Analyses& batch, size_t i) { return std::move(page_at(batch, i)); }, "Moves the analysis of a page out.");
    m.def("outlinks", &outlinks_of);
}
