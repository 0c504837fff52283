// Columns over many pages: what the kernel found, as arrays.
#include "bind/analyses.hpp"
#include "markup/outlinks.hpp"
#include "text/worth.hpp"

namespace webtongue {
namespace {

// Stop (255: not a page), label, confidence, reliable, tier, reason, group, group confidence, script and whether it is ASCII.
nb::tuple columns_of(const Analyses& many) {
    const size_t count = many.pages.size();
    std::vector<uint8_t> stop(count), reliable(count), tier(count), reason(count), script(count), ascii(count);
    std::vector<int32_t> label(count);
    std::vector<int16_t> group(count);
    std::vector<double> confidence(count), group_confidence(count);
    for (size_t i = 0; i < count; ++i) {
        const Analysis& page = many.pages[i];
        const Decision& d = page.read.decision;
        stop[i] = many.present[i] ? static_cast<uint8_t>(page.stop) : 0xFF;
        label[i] = d.label;
        confidence[i] = d.confidence;
        reliable[i] = d.reliable;
        tier[i] = d.tier;
        reason[i] = static_cast<uint8_t>(d.reason);
        group[i] = d.group;
        group_confidence[i] = d.group_confidence;
        script[i] = page.read.reading.written;
        ascii[i] = page.utf8.multibyte == 0;
    }
    return nb::make_tuple(to_array(std::move(stop)), to_array(std::move(label)), to_array(std::move(confidence)),
                          to_array(std::move(reliable)), to_array(std::move(tier)), to_array(std::move(reason)), to_array(std::move(group)),
                          to_array(std::move(group_confidence)), to_array(std::move(script)), to_array(std::move(ascii)));
}

nb::list claims_of(const Analyses& many) {
    nb::list out;
    for (const Analysis& page : many.pages) out.append(nb::bytes(page.claims.data(), page.claims.size()));
    return out;
}

Analysis take(Analyses& many, size_t i) {
    if (i >= many.pages.size()) throw nb::index_error();
    return std::move(many.pages[i]);
}

// Letters that were read, bytes of visible text, syntax, bits of the text and of the prior for the best guess against the next; and the
// likeliest labels by the text alone, at most `most` a page: where each page's begin, their numbers, and their log-likelihoods in nats.
nb::tuple details_of(const Analyses& many, const TextReader& text, size_t most) {
    const size_t count = many.pages.size();
    std::vector<uint32_t> letters(count);
    std::vector<int64_t> text_bytes(count);
    std::vector<uint8_t> syntax(count);
    std::vector<float> of_text(count), of_prior(count), logs;
    std::vector<int32_t> starts{0}, labels;
    for (size_t i = 0; i < count; ++i) {
        const Analysis& page = many.pages[i];
        const Reading& reading = page.read.reading;
        letters[i] = reading.letters;
        text_bytes[i] = static_cast<int64_t>(page.scan.visible_size);
        syntax[i] = static_cast<uint8_t>(page.sniffed.syntax);
        const Worth worth = worth_of(text.model(), text.priors(), reading);
        of_text[i] = static_cast<float>(worth.text);
        of_prior[i] = static_cast<float>(worth.prior);
        const std::vector<Guess>& guesses = reading.by_text.empty() ? reading.guesses : reading.by_text;
        for (size_t g = 0; g < guesses.size() && g < most; ++g) {
            labels.push_back(guesses[g].label);
            logs.push_back(static_cast<float>(log_likelihood(text.model(), text.priors(), guesses[g])));
        }
        starts.push_back(static_cast<int32_t>(labels.size()));
    }
    return nb::make_tuple(to_array(std::move(letters)), to_array(std::move(text_bytes)), to_array(std::move(syntax)),
                          to_array(std::move(of_text)), to_array(std::move(of_prior)), to_array(std::move(starts)),
                          to_array(std::move(labels)), to_array(std::move(logs)));
}

// Texts one after the other, as Arrow has them.
struct Texts {
    std::vector<int32_t> ends{0};
    std::string data;
    void add(const std::string& text) {
        data += text;
        ends.push_back(static_cast<int32_t>(data.size()));
    }
    nb::tuple taken() { return nb::make_tuple(to_array(std::move(ends)), nb::bytes(data.data(), data.size())); }
};

// Links of all pages that were answered, in the order of pages: the page of each, its address, words and hreflang. `pages` are those
// that were analysed, `hosts` their own.
nb::tuple all_outlinks(const Analyses& many, const nb::list& pages, const nb::list& hosts) {
    const size_t count = many.pages.size();
    if (nb::len(pages) != count || nb::len(hosts) != count) throw nb::value_error("pages, hosts: one for each page is needed");
    std::vector<Span> sources(count), own(count);
    for (size_t i = 0; i < count; ++i) {
        const bool answered = many.present[i] && many.pages[i].stop == Stop::done && many.pages[i].read.decision.label != kNoLabel;
        if (!answered || !PyBytes_Check(pages[i].ptr())) continue;
        sources[i] = span_of(nb::borrow<nb::bytes>(pages[i]));
        own[i] = span_of(nb::cast<nb::bytes>(hosts[i]));
    }
    std::vector<int32_t> of;
    Texts urls, anchors, hreflangs;
    {
        nb::gil_scoped_release release;
        for (size_t i = 0; i < count; ++i) {
            if (!sources[i].begin) continue;
            for (const Outlink& link : outlinks(many.pages[i].scan, sources[i], own[i])) {
                if (urls.data.size() > INT32_MAX / 2) break;
                of.push_back(static_cast<int32_t>(i));
                urls.add(link.url);
                anchors.add(link.anchor);
                hreflangs.add(link.hreflang);
            }
        }
    }
    return nb::make_tuple(to_array(std::move(of)), urls.taken(), anchors.taken(), hreflangs.taken());
}

nb::list listed(const std::vector<Outlink>& links) {
    nb::list out;
    for (const Outlink& link : links)
        out.append(nb::make_tuple(nb::str(link.url.data(), link.url.size()), nb::str(link.anchor.data(), link.anchor.size()),
                                  nb::str(link.hreflang.data(), link.hreflang.size())));
    return out;
}

nb::list outlinks_of(const Scan& scan, const nb::bytes& source, const nb::bytes& host) {
    std::vector<Outlink> found;
    {
        const Span page = span_of(source), own = span_of(host);
        nb::gil_scoped_release release;
        found = outlinks(scan, page, own);
    }
    return listed(found);
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_analyses(nb::module_& m) {
    nb::class_<Analyses>(m, "Analyses")
        .def("__len__", [](const Analyses& many) { return many.pages.size(); })
        .def("columns", &columns_of)
        .def("claims", &claims_of)
        .def("outlinks", &all_outlinks, nb::arg("pages"), nb::arg("hosts"))
        .def("details", &details_of, nb::arg("text"), nb::arg("most"))
        .def(
            "scan",
            [](Analyses& many, size_t i) -> Scan& {
                if (i >= many.pages.size()) throw nb::index_error();
                return many.pages[i].scan;
            },
            nb::rv_policy::reference_internal)
        .def("languages",
             [](const Analyses& many, const TextReader& text, size_t i) {
                 if (i >= many.pages.size()) throw nb::index_error();
                 return text.languages(many.pages[i].read);
             })
        .def("settled",
             [](const Analyses& many) {
                 std::vector<uint8_t> out;
                 for (const Analysis& page : many.pages) out.push_back(page.stop == Stop::done && page.read.decision.settled);
                 return to_array(std::move(out));
             })
        .def("holder_count",
             [](const Analyses& many) {
                 std::vector<uint8_t> out;
                 for (const Analysis& page : many.pages)
                     out.push_back(static_cast<uint8_t>(std::min<size_t>(page.read.decision.holders.size(), 0xFF)));
                 return to_array(std::move(out));
             })
        .def("answer",
             [](const Analyses& many, const TextReader& text, size_t i) {
                 if (i >= many.pages.size()) throw nb::index_error();
                 return text.answer(many.pages[i].read);
             })
        .def(
            "reading",
            [](Analyses& many, size_t i) -> Read& {
                if (i >= many.pages.size()) throw nb::index_error();
                return many.pages[i].read;
            },
            nb::rv_policy::reference_internal)
        .def("take", &take, "The analysis of a page, which is taken out.");
    m.def("outlinks", &outlinks_of);
}
