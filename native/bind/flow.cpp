// The Python face of the flow: a page, or many, through all stages in one call, the GIL released.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/analyses.hpp"
#include "text/packed.hpp"

namespace webtongue {
namespace {

using Formats = std::vector<std::tuple<size_t, nb::bytes>>;
class Flow {
public:
    Flow(nb::object text, nb::object fonts, nb::object common, const Formats& formats, const View<uint64_t>& encoding_labels)
        : text_object_(std::move(text)),
          fonts_(std::move(fonts)),
          common_(std::move(common)),
          text_(nb::cast<const TextReader&>(text_object_)),
          tools_{text_.model(),
                 text_.priors(),
                 text_.policy(),
                 nb::cast<const LoadedFonts&>(fonts_).guess,
                 nb::cast<const CommonStrings&>(common_),
                 {},
                 {}} {
        for (const auto& [offset, bytes] : formats) tools_.formats.push_back({offset, std::string(bytes.c_str(), bytes.size())});
        tools_.encoding_labels.assign(encoding_labels.data(), encoding_labels.data() + encoding_labels.shape(0));
    }

    const TextReader& text() const { return text_; }
    const Tools& tools() const { return tools_; }
    Labels labels() const { return {tools_.encoding_labels.data(), tools_.encoding_labels.data() + tools_.encoding_labels.size()}; }

    nb::object analyse(const nb::bytes& page, int media, bool scannable, bool is_text) const {
        FlowOptions options;
        options.media = static_cast<Media>(media);
        options.scannable = scannable;
        options.text = is_text;
        const Span span = span_of(page);
        Analysis found;
        {
            nb::gil_scoped_release release;
            found = webtongue::analyse(span, options, tools_);
        }
        return nb::cast(std::move(found));
    }

    // (reading, answer) of a short text; None where it may be drawn by a font.
    nb::object read_text(nb::handle text) const {
        const std::string_view utf8 = text_of(text);
        const Byte* p = reinterpret_cast<const Byte*>(utf8.data());
        if (tools_.fonts.suspects({p, p + utf8.size()})) return nb::none();
        return text_.read_and_answer(text);
    }

    // (stop, whether there are bytes beyond ASCII, label) by the beginning of a page that is UTF-8; the label is None elsewhere.
    nb::tuple read_beginning(const nb::bytes& page) const {
        const Span span = span_of(page);
        Beginning found;
        {
            nb::gil_scoped_release release;
            found = webtongue::read_beginning(span, tools_);
        }
        nb::object label = found.stop == Stop::done ? text_.label_of(found.decision) : nb::none();
        return nb::make_tuple(static_cast<int>(found.stop), found.multibyte, label);
    }

    // Pages that are bytes, each with its media type; what is not bytes is left to the caller and stays as it is made.
    nb::object analyse_list(const nb::list& pages, const nb::bytes& media, bool claims) const {
        std::vector<std::optional<Span>> spans;
        spans.reserve(nb::len(pages));
        for (const nb::handle page : pages)
            if (PyBytes_Check(page.ptr())) spans.push_back(span_of(nb::borrow<nb::bytes>(page)));
            else spans.emplace_back();
        return analyse_all(spans, media, claims);
    }

    // The same over one buffer, as Arrow has it: page i lies between offsets i and i + 1.
    template <class Offset>
    nb::object analyse_buffer(const View<uint8_t>& data, const View<Offset>& offsets, const nb::bytes& media, bool claims) const {
        std::vector<std::optional<Span>> spans;
        for (size_t i = 0; i + 1 < offsets.shape(0); ++i) {
            const auto begin = static_cast<uint64_t>(offsets.data()[i]), end = static_cast<uint64_t>(offsets.data()[i + 1]);
            if (begin > end || end > data.shape(0)) throw nb::value_error("offsets must rise and end within the data");
            spans.push_back(Span{data.data() + begin, data.data() + end});
        }
        return analyse_all(spans, media, claims);
    }

    nb::object read(Scan& scan, int32_t main, int32_t log_prob, const std::vector<uint16_t>& wanted) const {
        check_main(main);
        for (const uint16_t label : wanted) check_label(label);
        Read out;
        {
            nb::gil_scoped_release release;
            out = read_scan(scan, tools_, main, log_prob, wanted);
        }
        return nb::cast(std::move(out));
    }

    // A page of many once more; its reading takes the place of the one before.
    Read& read_again(Analyses& many, size_t i, int32_t main, const std::vector<uint16_t>& wanted) const;

    // `nats` by label; `borrowed`: how likely a text is in another language than its page, English or any, as logs; None where it is not.
    void weigh(Read& read, const nb::dict& nats, std::optional<std::tuple<int32_t, int32_t>> borrowed) const {
        std::vector<Hinted> hints;
        for (const auto& [key, value] : nats) {
            const auto label = nb::cast<uint16_t>(key);
            check_label(label);
            hints.push_back({label, logs_of(nb::cast<double>(value))});
        }
        Borrowed by;
        by.label = tools_.policy.boilerplate;
        if (borrowed) std::tie(by.english, by.any) = *borrowed;
        weigh_hints(read, tools_, std::move(hints), by);
    }

    nb::bytes pack(const Read& read) const {
        const std::string packed = pack_reading(read.reading);
        return nb::bytes(packed.data(), packed.size());
    }

    // A reading that was packed, decided on by its text alone.
    nb::object unpack(const nb::bytes& packed) const {
        Read out;
        if (!unpack_reading(span_of(packed), tools_.model, out.reading)) throw nb::value_error("not a reading by this model");
        out.decision = decide(tools_.model, tools_.priors, tools_.policy, out.reading);
        return nb::cast(std::move(out));
    }

    nb::bytes claims(const Scan& scan, const nb::bytes& source, const nb::bytes& head) const {
        const std::string packed = pack_claims(scan, span_of(source), span_of(head), labels());
        return nb::bytes(packed.data(), packed.size());
    }

private:
    void check_main(int32_t label) const {
        if (label < kNoLabel || label >= static_cast<int32_t>(tools_.model.label_count())) throw nb::value_error("no such label");
    }
    void check_label(uint16_t label) const {
        if (label >= tools_.model.label_count()) throw nb::value_error("no such label");
    }
    nb::object analyse_all(const std::vector<std::optional<Span>>& spans, const nb::bytes& media, bool claims) const;

    nb::object text_object_, fonts_, common_;  // kept alive
    const TextReader& text_;
    Tools tools_;
};

Read& Flow::read_again(Analyses& many, size_t i, int32_t main, const std::vector<uint16_t>& wanted) const {
    if (i >= many.pages.size()) throw nb::index_error();
    check_main(main);
    for (const uint16_t label : wanted) check_label(label);
    Analysis& page = many.pages[i];
    nb::gil_scoped_release release;
    page.read = read_scan(page.scan, tools_, main, 0, wanted);
    return page.read;
}

nb::object Flow::analyse_all(const std::vector<std::optional<Span>>& spans, const nb::bytes& media, bool claims) const {
    if (media.size() != spans.size()) throw nb::value_error("media: one for each page is needed");
    Analyses out;
    out.pages.resize(spans.size());
    out.present.resize(spans.size());
    const char* kinds = media.c_str();
    {
        nb::gil_scoped_release release;
        FlowOptions options;
        options.claims = claims;
        for (size_t i = 0; i < spans.size(); ++i) {
            out.present[i] = spans[i].has_value();
            if (!spans[i]) continue;
            options.media = static_cast<Media>(kinds[i]);
            out.pages[i] = webtongue::analyse(*spans[i], options, tools_);
        }
    }
    return nb::cast(std::move(out));
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_flow(nb::module_& m) {
    m.def("pack_claims", [](const Scan& scan, const nb::bytes& source, const nb::bytes& head, const View<uint64_t>& known) {
        const std::string packed = pack_claims(scan, span_of(source), span_of(head), {known.data(), known.data() + known.shape(0)});
        return nb::bytes(packed.data(), packed.size());
    });
    nb::class_<Analysis>(m, "Analysis")
        .def_prop_ro("stop", [](const Analysis& a) { return static_cast<int>(a.stop); })
        .def_prop_ro("syntax", [](const Analysis& a) { return static_cast<int>(a.sniffed.syntax); })
        .def_prop_ro("nothing", [](const Analysis& a) { return static_cast<int>(a.sniffed.nothing); })
        .def_prop_ro("signature", [](const Analysis& a) { return a.sniffed.signature; })
        .def_prop_ro("errors", [](const Analysis& a) { return a.utf8.errors; })
        .def_prop_ro("multibyte", [](const Analysis& a) { return a.utf8.multibyte; })
        .def_prop_ro(
            "scan", [](Analysis& a) -> Scan& { return a.scan; }, nb::rv_policy::reference_internal)
        .def_prop_ro("reading", [](Analysis& a) -> Read& { return a.read; }, nb::rv_policy::reference_internal);
    bind_analyses(m);
    nb::class_<Flow>(m, "Flow")
        .def(nb::init<nb::object, nb::object, nb::object, const Formats&, const View<uint64_t>&>(), nb::arg("text"), nb::arg("fonts"),
             nb::arg("common"), nb::arg("formats"), nb::arg("encoding_labels"))
        .def("analyse", &Flow::analyse, nb::arg("page"), nb::arg("media"), nb::arg("scannable"), nb::arg("is_text"))
        .def("read_text", &Flow::read_text)
        .def("read_beginning", &Flow::read_beginning)
        .def("analyse_list", &Flow::analyse_list)
        .def("analyse_buffer", &Flow::analyse_buffer<int32_t>)
        .def("analyse_large_buffer", &Flow::analyse_buffer<int64_t>)
        .def("read", &Flow::read, nb::arg("scan"), nb::arg("main"), nb::arg("log_prob"), nb::arg("wanted"))
        .def("weigh", &Flow::weigh, nb::arg("reading"), nb::arg("nats"), nb::arg("borrowed").none())
        .def("read_again", &Flow::read_again, nb::arg("many"), nb::arg("i"), nb::arg("main"), nb::arg("wanted"), nb::rv_policy::reference)
        .def("pack", &Flow::pack)
        .def("unpack", &Flow::unpack)
        .def("claims", &Flow::claims);
}
