// Link scores for a crawler: the probability of wanted languages for pages before they are fetched, for a batch of links in one call.
#include "bind/combiner.hpp"
#include "bind/url_model.hpp"

namespace webtongue {
namespace {

using NumberGroups = std::vector<std::vector<int32_t>>;

class LinkScores {
public:
    // `priors` are used beside links, anchors and hosts, `url_only_priors` if the URL is the only evidence. `outside` are wanted languages
    // that the URL model does not have.
    LinkScores(const LoadedUrls& urls, const Combiner& combiner, std::vector<double> priors, std::vector<double> url_only_priors,
               NumberGroups groups, const std::vector<nb::str>& outside, double trust, double max_host)
        : urls_(urls),
          combiner_(combiner),
          priors_(std::move(priors)),
          url_only_priors_(std::move(url_only_priors)),
          groups_(std::move(groups)),
          limits_{trust, max_host, 1.0} {
        for (const nb::str& key : urls_.keys) labels_.push_back(combiner_.labels_of(key));
        for (const nb::str& key : outside)
            for (const int32_t label : combiner_.labels_of(key)) outside_.push_back(label);
        if (priors_.size() != combiner_.label_count() || url_only_priors_.size() != combiner_.label_count())
            throw nb::value_error("one prior for each label is needed");
        for (const auto& group : groups_)
            for (const int32_t label : group) combiner_.check(label);
    }

    // The probability of each group of labels for each link. `urls` has None where the URL is not used; `hints` and `words` (nats by label
    // number, of anchor text) have one entry for each link.
    auto score(const AnyList& urls, const std::vector<std::vector<SourceHint>>& hints, const std::vector<NatsByNumber>& words) const {
        if (hints.size() != urls.size() || words.size() != urls.size()) throw nb::value_error("urls, hints and words differ in length");
        std::vector<double> out, by_label(combiner_.label_count(), 0.0);
        out.reserve(urls.size() * groups_.size());
        for (size_t i = 0; i < urls.size(); ++i) {
            LabelSums sums = combiner_.label_sums(hints[i]);
            const bool is_url_only = hints[i].empty() && words[i].size() == 0;
            add_url(urls[i], is_url_only, sums);
            for (const auto& [label, nats] : words[i])
                sums.add(static_cast<int32_t>(combiner_.check(nb::cast<int32_t>(label))), nb::cast<double>(nats));
            add_probabilities(sums, (is_url_only ? url_only_priors_ : priors_).data(), by_label, out);
        }
        return to_array(std::move(out), {urls.size(), groups_.size()});
    }

private:
    // Every label of the URL model and every wanted label is considered, whether the URL is evidence for it or not.
    void add_url(nb::handle url, bool is_url_only, LabelSums& sums) const {
        const auto add = [&](size_t language, double nats) {
            for (const int32_t label : labels_[language]) sums.add(label, nats);
        };
        const UrlReason reason = url.is_none() ? UrlReason::missing
                                 : is_url_only ? each_nats(urls_, url, add)
                                               : each_hint(urls_, url, limits_, add);
        if (reason != UrlReason::none)
            for (size_t k = 0; k < urls_.model.label_count(); ++k) add(k, 0.0);
        for (const int32_t label : outside_) sums.add(label, 0.0);
    }

    void add_probabilities(const LabelSums& sums, const double* priors, std::vector<double>& by_label, std::vector<double>& out) const {
        const std::vector<double> logs = posterior(sums, priors, sums.labels());
        for (size_t i = 0; i < logs.size(); ++i) by_label[static_cast<size_t>(sums.labels()[i])] = std::exp(logs[i]);
        for (const auto& group : groups_) {
            double mass = 0;
            for (const int32_t label : group) mass += by_label[static_cast<size_t>(label)];
            out.push_back(std::min(1.0, mass));
        }
        for (const int32_t label : sums.labels()) by_label[static_cast<size_t>(label)] = 0;
    }

    const LoadedUrls& urls_;
    const Combiner& combiner_;
    std::vector<double> priors_, url_only_priors_;
    NumberGroups groups_;
    HintLimits limits_;
    std::vector<std::vector<int32_t>> labels_;  // the text model's labels of each label's language
    std::vector<int32_t> outside_;
};

}  // namespace
}  // namespace webtongue

void bind_link_scores(webtongue::nb::module_& m) {
    using namespace webtongue;
    nb::class_<LinkScores>(m, "LinkScores")
        .def(nb::init<const LoadedUrls&, const Combiner&, std::vector<double>, std::vector<double>, NumberGroups,
                      const std::vector<nb::str>&, double, double>(),
             nb::arg("urls"), nb::arg("combiner"), nb::arg("priors"), nb::arg("url_only_priors"), nb::arg("groups"), nb::arg("outside"),
             nb::arg("trust"), nb::arg("max_host"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("score", &LinkScores::score, nb::arg("urls"), nb::arg("hints"), nb::arg("words"),
             "Returns the probability of each group of labels for each link.");
}
