"""Sentences written for these tests, enough to tell a few languages apart."""

from __future__ import annotations

from webtongue.lab.methods.document import Document
from webtongue.page import Page

CORPUS: dict[str, list[Document]] = {
    "eng_Latn": [
        "The library is open every day, and the children come here after school to read what they like.",
        "When the rain stops we will walk to the river, and then we shall see which of the boats is ours.",
        "Nobody knows why the old house on the hill was left with all its windows open that night.",
    ],
    "deu_Latn": [
        "Die Bücherei ist jeden Tag geöffnet, und die Kinder kommen nach der Schule hierher, um zu lesen.",
        "Wenn der Regen aufhört, gehen wir zum Fluss und sehen nach, welches von den Booten unseres ist.",
        "Niemand weiß, warum das alte Haus auf dem Hügel in jener Nacht mit offenen Fenstern verlassen wurde.",
    ],
    "ita_Latn": [
        "La biblioteca è aperta ogni giorno, e i bambini vengono qui dopo la scuola per leggere quello che vogliono.",
        "Quando smette di piovere andremo al fiume, e allora vedremo quale delle barche è la nostra.",
        "Nessuno sa perché la vecchia casa sulla collina fu lasciata quella notte con tutte le finestre aperte.",
    ],
    "ell_Grek": [
        "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα, και τα παιδιά έρχονται εδώ μετά το σχολείο για να διαβάσουν.",
        "Όταν σταματήσει η βροχή θα πάμε στο ποτάμι, και τότε θα δούμε ποια από τις βάρκες είναι δική μας.",
        "Κανείς δεν ξέρει γιατί το παλιό σπίτι στον λόφο έμεινε εκείνη τη νύχτα με όλα τα παράθυρα ανοιχτά.",
    ],
}
NEW = {
    "eng_Latn": "They say that the school on the hill will be open when the children come back.",
    "deu_Latn": "Man sagt, dass die Schule auf dem Hügel offen ist, wenn die Kinder nach Hause kommen.",
    "ita_Latn": "Dicono che la scuola sulla collina è aperta quando i bambini vengono dopo la pioggia.",
    "ell_Grek": "Λένε ότι το σχολείο στον λόφο είναι ανοιχτό όταν τα παιδιά έρχονται μετά τη βροχή.",
}

# The same with pages of which only the address is known, for methods that learn from both.
TOPS = {"eng_Latn": "uk", "deu_Latn": "de", "ita_Latn": "it", "ell_Grek": "gr"}
ADDRESSED: dict[str, list[Document]] = {
    label: [
        *texts,
        *(Page(b"", f"https://example{i}.{TOPS[label]}/") for i in range(4)),
        Page(b"", "https://example.com/"),
    ]
    for label, texts in CORPUS.items()
}
