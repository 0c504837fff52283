// Python bindings of the votes of links: links as objects in, nats by language or a hint of the combiner out.
#include "bind/combiner.hpp"
#include "url/link_votes.hpp"

namespace webtongue {
namespace {

using Table = std::vector<std::tuple<bool, std::string, double, double, double>>;  // is own, language ("*" any other), keep, english, free
using Shares = nb::typed<nb::dict, nb::str, double>;
using SuffixesObject = nb::typed<nb::object, Suffixes>;
using TextFunction = nb::typed<nb::callable, nb::str(nb::str)>;
using NumberFunction = nb::typed<nb::callable, double(nb::any)>;
using Mass = nb::typed<nb::tuple, nb::typed<nb::dict, nb::str, double>, double>;
using Classifier = std::optional<nb::typed<nb::callable, Mass(nb::str)>>;  // from anchor text to mass by language and free mass

// Reads Inlink objects. Three functions of Python read values that are not plain: the language of a tag, a probability, an anchor text.
class LinkReader {
public:
    LinkReader(SuffixesObject suffixes, const Table& table, const Shares& shares, double min_share, double power, double uninformative,
               double anchor, double hreflang, double max_nats, TextFunction language, NumberFunction probability, TextFunction anchor_text)
        : suffixes_object_(std::move(suffixes)),
          suffixes_(nb::cast<const Suffixes&>(suffixes_object_)),
          language_(std::move(language)),
          probability_(std::move(probability)),
          anchor_text_(std::move(anchor_text)) {
        rates_.min_share = min_share;
        rates_.power = power;
        rates_.uninformative = uninformative;
        rates_.anchor = anchor;
        rates_.hreflang = hreflang;
        rates_.max_nats = max_nats;
        for (const auto& [is_own, name, keep, english, free] : table) {
            const LinkRate rate{keep, english, free};
            if (name == "*") (is_own ? rates_.any_own : rates_.any_foreign) = rate;
            else (is_own ? rates_.own : rates_.foreign)[to_language(name)] = rate;
        }
        for (const auto& [name, share] : shares) rates_.shares[to_language(text_of(name))] = nb::cast<double>(share);
    }

    const Suffixes& suffixes() const { return suffixes_; }
    const LinkRates& rates() const { return rates_; }

    void add(LinkVotes& votes, nb::handle link) const {
        LinkVote vote;
        vote.language = language_of(link.attr(language_name_));
        if (vote.language) vote.confidence = probability_of(link.attr(confidence_name_));
        if (vote.confidence <= 0) vote.language = 0;
        vote.hreflang = language_of(link.attr(hreflang_name_));
        vote.anchor = anchor_of(link.attr(anchor_name_));
        const nb::object url = link.attr(url_name_);
        nb::object owner;
        votes.add(utf8_of(url, owner), vote);
    }

    // The UTF-8 of a str, with lone surrogates replaced; empty for any other type. `owner` keeps a replaced text.
    static std::string_view utf8_of(nb::handle text, nb::object& owner) {
        if (!PyUnicode_Check(text.ptr())) return {};
        Py_ssize_t size = 0;
        if (const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {data, static_cast<size_t>(size)};
        PyErr_Clear();
        owner = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
        if (!owner.is_valid()) nb::raise_python_error();
        return view_of(nb::borrow<nb::bytes>(owner));
    }

private:
    Language language_of(nb::handle tag) const {
        if (!PyUnicode_Check(tag.ptr()) || PyUnicode_GetLength(tag.ptr()) == 0) return 0;
        return to_language(text_of(language_(tag)));
    }
    double probability_of(nb::handle value) const {
        if (PyFloat_CheckExact(value.ptr())) {
            const double number = PyFloat_AsDouble(value.ptr());
            if (number >= 0 && number <= 1) return number;
        }
        return nb::cast<double>(probability_(value));
    }
    std::string anchor_of(nb::handle anchor) const {
        if (!PyUnicode_Check(anchor.ptr()) || PyUnicode_GetLength(anchor.ptr()) == 0) return {};
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(anchor.ptr(), &size);
        if (data == nullptr) PyErr_Clear();  // lone surrogates
        const bool is_ascii = data != nullptr && size == PyUnicode_GetLength(anchor.ptr());
        return is_ascii ? clean_ascii_anchor({data, static_cast<size_t>(size)}) : std::string(text_of(anchor_text_(anchor)));
    }

    nb::object suffixes_object_;
    const Suffixes& suffixes_;
    LinkRates rates_;
    nb::object language_, probability_, anchor_text_;
    nb::str language_name_{"language"}, confidence_name_{"confidence"}, hreflang_name_{"hreflang"}, anchor_name_{"anchor"},
        url_name_{"url"};
};

LinkVotes make_votes(const LinkReader& reader, nb::handle url) {
    nb::object owner;
    return LinkVotes(reader.suffixes(), LinkReader::utf8_of(url, owner));
}

std::vector<LanguageValue> nats_of(const LinkVotes& votes, const LinkReader& reader, const Classifier& classify) {
    return votes.nats(reader.rates(), [&](const std::string& anchor) {
        LinkDistribution out;
        if (!classify) return out;
        const auto [mass, free] = nb::cast<std::tuple<nb::dict, double>>((*classify)(to_str(anchor)));
        for (const auto& [name, value] : mass) out.mass.push_back({to_language(text_of(name)), nb::cast<double>(value)});
        out.free = free;
        return out;
    });
}

// The votes of a page, for a crawler that adds links as it finds them.
class PageVotes {
public:
    PageVotes(nb::typed<nb::object, LinkReader> reader, nb::handle url)
        : object_(std::move(reader)), reader_(nb::cast<const LinkReader&>(object_)), votes_(make_votes(reader_, url)) {}

    void add(nb::handle link) { reader_.add(votes_, link); }

    NatsByName nats(const Classifier& classify) const {
        nb::dict out;
        for (const LanguageValue& value : nats_of(votes_, reader_, classify)) out[to_str(to_code(value.language))] = value.value;
        return out;
    }

    // The number of links and of sites, and the number of links by language and by hreflang.
    auto counts() const {
        const LinkVotes::Counts counts = votes_.counts();
        return std::make_tuple(counts.links, counts.sites, to_dict(counts.languages), to_dict(counts.hreflangs));
    }

private:
    static nb::typed<nb::dict, nb::str, int> to_dict(const std::map<Language, size_t>& counts) {
        nb::dict out;
        for (const auto& [language, count] : counts) out[to_str(to_code(language))] = count;
        return out;
    }

    nb::object object_;
    const LinkReader& reader_;
    LinkVotes votes_;
};

// The hint of all links to a page; None if they carry no information.
std::optional<SourceHint> links_hint(const LinkReader& reader, nb::handle links, nb::handle url, const Classifier& classify,
                                     const Combiner& combiner, double weight, double cap, bool is_site) {
    LinkVotes votes = make_votes(reader, url);
    for (const nb::handle link : links) reader.add(votes, link);
    const std::vector<LanguageValue> nats = nats_of(votes, reader, classify);
    if (nats.empty()) return std::nullopt;
    SourceHint hint{{}, 0, weight, cap, is_site};
    for (const LanguageValue& value : nats) combiner.add_nats(to_str(to_code(value.language)), value.value, hint);
    return hint;
}

}  // namespace
}  // namespace webtongue

using namespace webtongue;

void bind_links(nb::module_& m) {
    nb::class_<LinkReader>(m, "LinkReader")
        .def(nb::init<SuffixesObject, const Table&, const Shares&, double, double, double, double, double, double, TextFunction,
                      NumberFunction, TextFunction>(),
             nb::arg("suffixes"), nb::arg("table"), nb::arg("shares"), nb::arg("min_share"), nb::arg("power"), nb::arg("uninformative"),
             nb::arg("anchor"), nb::arg("hreflang"), nb::arg("max_nats"), nb::arg("language"), nb::arg("probability"),
             nb::arg("anchor_text"))
        .def("hint", &links_hint, nb::arg("links"), nb::arg("url").none(), nb::arg("classify").none(), nb::arg("combiner"),
             nb::arg("weight"), nb::arg("cap"), nb::arg("is_site"));
    nb::class_<PageVotes>(m, "PageVotes")
        .def(nb::init<nb::typed<nb::object, LinkReader>, nb::handle>(), nb::arg("reader"), nb::arg("url").none())
        .def("add", &PageVotes::add, nb::arg("link"))
        .def("nats", &PageVotes::nats, nb::arg("classify").none())
        .def("counts", &PageVotes::counts);
}
