// Python bindings of the page flow: all stages for one page or many in one call, with the GIL released.
#include "bind/analyses.hpp"
#include "bind/combiner.hpp"
#include "text/packed.hpp"

namespace webtongue {
namespace {

using TextObject = nb::typed<nb::object, TextReader>;
using FontsObject = nb::typed<nb::object, LoadedFonts>;
using CommonObject = nb::typed<nb::object, CommonStrings>;
using Formats = std::vector<std::tuple<size_t, nb::bytes>>;
class Flow {
public:
    Flow(TextObject text, FontsObject fonts, CommonObject common, const Formats& formats, const View<uint64_t>& encoding_labels)
        : text_object_(std::move(text)),
          fonts_(std::move(fonts)),
          common_(std::move(common)),
          text_(nb::cast<const TextReader&>(text_object_)),
          tools_{text_.model(),
                 text_.priors(),
                 text_.policy(),
                 nb::cast<const LoadedFonts&>(fonts_).detector,
                 nb::cast<const CommonStrings&>(common_),
                 {},
                 {}} {
        for (const auto& [offset, bytes] : formats) tools_.formats.push_back({offset, std::string(bytes.c_str(), bytes.size())});
        tools_.encoding_labels.assign(encoding_labels.data(), encoding_labels.data() + encoding_labels.shape(0));
    }

    const TextReader& text() const { return text_; }
    const Tools& tools() const { return tools_; }

    Analysis analyse(const nb::bytes& page, int media, bool scannable, bool is_text) const {
        FlowOptions options;
        options.media = static_cast<Media>(media);
        options.scannable = scannable;
        options.text = is_text;
        const Span span = span_of(page);
        nb::gil_scoped_release release;
        return webtongue::analyse(span, options, tools_);
    }

    // Returns the reading and answer of a short text, or None if it may be font-encoded.
    std::optional<std::tuple<DecidedReading, Answer>> read_text(nb::handle text) const {
        if (tools_.fonts.may_have_font(span_of(text_of(text)))) return std::nullopt;
        return text_.read_and_answer(text);
    }

    // The same for several texts, without the GIL.
    std::vector<std::optional<std::tuple<DecidedReading, Answer>>> read_texts(const AnyList& texts) const {
        const std::vector<std::string_view> views = texts_of(texts);
        std::vector<std::optional<DecidedReading>> readings(views.size());
        {
            nb::gil_scoped_release release;
            for (size_t i = 0; i < views.size(); ++i)
                if (!tools_.fonts.may_have_font(span_of(views[i]))) readings[i] = text_.read_all(views[i]);
        }
        std::vector<std::optional<std::tuple<DecidedReading, Answer>>> out(views.size());
        for (size_t i = 0; i < views.size(); ++i) {
            if (!readings[i]) continue;
            Answer answer = text_.answer(*readings[i]);
            out[i].emplace(std::move(*readings[i]), std::move(answer));
        }
        return out;
    }

    // Returns where the flow stopped, whether there are bytes beyond ASCII, and the label by the beginning of a page, None unless it is
    // UTF-8.
    std::tuple<int, bool, std::optional<nb::str>> read_beginning(const nb::bytes& page) const {
        const Span span = span_of(page);
        Beginning beginning;
        {
            nb::gil_scoped_release release;
            beginning = webtongue::read_beginning(span, tools_);
        }
        std::optional<nb::str> label;
        if (beginning.stop == Stop::done) label = text_.label_of(beginning.decision);
        return {static_cast<int>(beginning.stop), beginning.multibyte, label};
    }

    // Analyses pages with their media types. Items that are not bytes are skipped and left to the caller.
    Analyses analyse_list(const AnyList& pages, const nb::bytes& media, bool declarations) const {
        std::vector<std::optional<Span>> spans;
        spans.reserve(pages.size());
        for (const nb::handle page : pages)
            if (PyBytes_Check(page.ptr())) spans.push_back(span_of(nb::borrow<nb::bytes>(page)));
            else spans.emplace_back();
        return analyse_all(spans, media, declarations);
    }

    // The same over one buffer in the layout of Arrow: page i is between offsets i and i + 1.
    template <class Offset>
    Analyses analyse_buffer(const View<uint8_t>& data, const View<Offset>& offsets, const nb::bytes& media, bool declarations) const {
        std::vector<std::optional<Span>> spans(count_spans(offsets, data.shape(0)));
        for (size_t i = 0; i < spans.size(); ++i) spans[i] = Span{data.data() + offsets.data()[i], data.data() + offsets.data()[i + 1]};
        return analyse_all(spans, media, declarations);
    }

    DecidedReading read(Scan& scan, int32_t main, int32_t log_prob, const std::vector<uint16_t>& requested) const {
        check_main(main);
        for (const uint16_t label : requested) check_label(label);
        nb::gil_scoped_release release;
        return read_scan(scan, tools_, main, log_prob, requested);
    }

    // Reads a page of a batch again and replaces its reading.
    DecidedReading& read_again(Analyses& batch, size_t i, int32_t main, const std::vector<uint16_t>& requested) const {
        if (i >= batch.pages.size()) throw nb::index_error();
        return batch.pages[i].read = read(batch.pages[i].scan, main, 0, requested);
    }

    // Applies hints and decides again. Returns the labels that hints support and the text was not scored for.
    std::vector<uint16_t> apply_hints(DecidedReading& read, const Combiner& combiner, const std::vector<SourceHint>& hints) const {
        return webtongue::apply_hints(read, tools_, combiner.label_sums(hints), combiner.scaling());
    }

    nb::bytes pack(const DecidedReading& read) const { return to_bytes(pack_reading(read.reading)); }

    // Unpacks a reading and decides by its text alone.
    DecidedReading unpack(const nb::bytes& packed) const {
        DecidedReading out;
        if (!unpack_reading(span_of(packed), tools_.model, out.reading))
            throw nb::value_error("the bytes are not a packed reading of this model");
        out.decision = decide(tools_.model, tools_.priors, tools_.policy, out.reading);
        return out;
    }

    nb::bytes pack_declarations(const Scan& scan, const nb::bytes& source, const nb::bytes& head) const {
        const std::vector<uint64_t>& known = tools_.encoding_labels;
        return to_bytes(webtongue::pack_declarations(scan, span_of(source), span_of(head), {known.data(), known.data() + known.size()}));
    }

private:
    void check_main(int32_t label) const {
        if (label < kNoLabel || label >= static_cast<int32_t>(tools_.model.label_count()))
            throw nb::value_error("the model has no such label");
    }
    void check_label(uint16_t label) const {
        if (label >= tools_.model.label_count()) throw nb::value_error("the model has no such label");
    }
    Analyses analyse_all(const std::vector<std::optional<Span>>& spans, const nb::bytes& media, bool declarations) const;

    nb::object text_object_, fonts_, common_;  // owned, so that the references below stay valid
    const TextReader& text_;
    Tools tools_;
};

Analyses Flow::analyse_all(const std::vector<std::optional<Span>>& spans, const nb::bytes& media, bool declarations) const {
    if (media.size() != spans.size()) throw nb::value_error("media: one for each page is needed");
    Analyses out;
    out.pages.resize(spans.size());
    out.present.resize(spans.size());
    const char* kinds = media.c_str();
    {
        nb::gil_scoped_release release;
        FlowOptions options;
        options.declarations = declarations;
        for (size_t i = 0; i < spans.size(); ++i) {
            out.present[i] = spans[i].has_value();
            if (!spans[i]) continue;
            options.media = static_cast<Media>(kinds[i]);
            out.pages[i] = webtongue::analyse(*spans[i], options, tools_);
        }
    }
    return out;
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_flow(nb::module_& m) {
    m.def("pack_declarations", [](const Scan& scan, const nb::bytes& source, const nb::bytes& head, const View<uint64_t>& known) {
        return to_bytes(webtongue::pack_declarations(scan, span_of(source), span_of(head), {known.data(), known.data() + known.shape(0)}));
    });
    nb::class_<Analysis>(m, "Analysis")
        .def_prop_ro("stop", [](const Analysis& a) { return static_cast<int>(a.stop); })
        .def_prop_ro("syntax", [](const Analysis& a) { return static_cast<int>(a.sniffed.syntax); })
        .def_prop_ro("no_text", [](const Analysis& a) { return static_cast<int>(a.sniffed.no_text); })
        .def_prop_ro("signature", [](const Analysis& a) { return a.sniffed.signature; })
        .def_prop_ro("errors", [](const Analysis& a) { return a.utf8.errors; })
        .def_prop_ro("multibyte", [](const Analysis& a) { return a.utf8.multibyte; })
        .def_prop_ro(
            "scan", [](Analysis& a) -> Scan& { return a.scan; }, nb::rv_policy::reference_internal)
        .def_prop_ro("reading", [](Analysis& a) -> DecidedReading& { return a.read; }, nb::rv_policy::reference_internal);
    bind_analyses(m);
    nb::class_<Flow>(m, "Flow")
        .def(nb::init<TextObject, FontsObject, CommonObject, const Formats&, const View<uint64_t>&>(), nb::arg("text"), nb::arg("fonts"),
             nb::arg("common"), nb::arg("formats"), nb::arg("encoding_labels"))
        .def("analyse", &Flow::analyse, nb::arg("page"), nb::arg("media"), nb::arg("scannable"), nb::arg("is_text"))
        .def("read_text", &Flow::read_text)
        .def("read_texts", &Flow::read_texts)
        .def("read_beginning", &Flow::read_beginning)
        .def("analyse_list", &Flow::analyse_list)
        .def("analyse_buffer", &Flow::analyse_buffer<int32_t>)
        .def("analyse_large_buffer", &Flow::analyse_buffer<int64_t>)
        .def("read", &Flow::read, nb::arg("scan"), nb::arg("main"), nb::arg("log_prob"), nb::arg("requested"))
        .def("apply_hints", &Flow::apply_hints, nb::arg("reading"), nb::arg("combiner"), nb::arg("hints"))
        .def("read_again", &Flow::read_again, nb::arg("analyses"), nb::arg("i"), nb::arg("main"), nb::arg("requested"),
             nb::rv_policy::reference)
        .def("pack", &Flow::pack)
        .def("unpack", &Flow::unpack)
        .def("pack_declarations", &Flow::pack_declarations);
}
