"""Write native/tables/placeholder.inc: the words of placeholder text ("lorem ipsum"), and how much each speaks for it against real Latin.

    python tools/tables/make_placeholder.py [--data ../shared/data]

The words are those of the passage that printers have used since the 1960s, of Cicero's text that it was cut from (De finibus, 1.10.32-33),
which libraries that make test data draw from, and of generators that invent more. A word counts by the log ratio of its frequency in such
text to that in Latin training text; any other word speaks against it.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter, defaultdict
from pathlib import Path

from webtongue.lab.train.corpus.read import read_corpus
from webtongue.lab.train.text.look_alikes import WORD_SEED, _hash_form

OUT = Path(__file__).parents[2] / "native" / "tables" / "placeholder.inc"
PASSAGE = """lorem ipsum dolor sit amet consectetur consectetuer adipiscing adipisicing elit sed do eiusmod tempor incididunt ut labore et
dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis aute irure in
reprehenderit voluptate velit esse cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia
deserunt mollit anim id est laborum"""
CICERO = """alias consequatur aut perferendis voluptatem accusantium doloremque aperiam eaque ipsa quae ab illo inventore veritatis quasi
architecto beatae vitae dicta explicabo aspernatur odit fugit quia consequuntur magni dolores eos ratione sequi nesciunt neque dolorem
adipisci numquam eius modi tempora incidunt magnam aliquam quaerat minima nostrum exercitationem ullam corporis nemo ipsam voluptas suscipit
laboriosam aliquid commodi autem vel eum iure quam nihil molestiae iusto odio dignissimos ducimus blanditiis praesentium laudantium totam
rem voluptatum deleniti atque corrupti quos quas molestias excepturi occaecati cupiditate provident perspiciatis unde omnis iste natus
error similique mollitia animi dolorum fuga harum quidem rerum facilis expedita distinctio nam libero tempore cum soluta nobis eligendi
optio cumque impedit quo porro quisquam minus quod maxime placeat facere possimus assumenda repellendus temporibus quibusdam illum at vero
accusamus officiis debitis necessitatibus saepe eveniet voluptates repudiandae recusandae itaque earum hic tenetur a sapiente delectus
reiciendis voluptatibus maiores doloribus asperiores repellat"""
INVENTED = """ac accumsan aenean aliquet ante aptent arcu auctor augue bibendum blandit class condimentum congue conubia convallis cras
cubilia curabitur curae cursus dapibus diam dictum dictumst dignissim dis donec egestas eget eleifend elementum erat eros etiam euismod
facilisi facilisis fames faucibus felis fermentum feugiat finibus fringilla fusce gravida habitant habitasse hac hendrerit himenaeos
iaculis imperdiet inceptos integer interdum justo lacinia lacus laoreet lectus leo ligula litora lobortis luctus maecenas magnis malesuada
massa mattis mauris maximus metus mi molestie mollis montes morbi mus nascetur natoque nec netus nibh nisl nostra nullam nunc orci ornare
parturient pellentesque penatibus per pharetra phasellus placerat platea porta porttitor posuere potenti praesent pretium primis proin
pulvinar purus quisque rhoncus ridiculus risus rutrum sagittis sapien scelerisque sem semper senectus sociosqu sodales sollicitudin
suspendisse taciti tellus tempus tincidunt torquent tortor tristique turpis ultrices ultricies urna varius vehicula venenatis vestibulum
vivamus viverra volutpat vulputate wisi tation delenit zzril luptatum feugait iriure vero"""
SHARES = (
    (PASSAGE, 0.4),
    (CICERO, 0.27),
    (INVENTED, 0.27),
)  # of the words of placeholder text; the rest are other words
OTHER = 0.06
MIN_RATE = 2e-6  # of a word that Latin text does not have
MAX_NATS = 5.0  # one word never decides


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="../shared/data", type=Path)
    corpus = read_corpus(parser.parse_args().data / "train", labels=["lat_Latn"])
    counts = Counter(
        word for lines in corpus.lines.values() for line in lines for word in re.findall(r"[a-z]+", line.lower())
    )
    total = counts.total()
    shares: defaultdict[str, float] = defaultdict(float)
    for words, share in SHARES:
        for word in words.split():
            shares[word] += share / len(words.split())
    nats = {word: math.log(share / max(counts[word] / total, MIN_RATE)) for word, share in shares.items()}
    known = sum(counts[word] for word in shares) / total
    other = math.log(OTHER / (1 - known))
    rows = sorted((_hash_form(WORD_SEED, word), round(100 * min(value, MAX_NATS))) for word, value in nats.items())
    lines = [f"    {{{key:#x}, {weight}}},\n" for key, weight in rows]
    OUT.write_text(
        "// Written by tools/tables/make_placeholder.py: words by their hash, and their weights in hundredths of a nat.\n"
        f"constexpr int32_t kOtherWord = {round(100 * other)};\n"
        "constexpr PlaceholderWord kPlaceholderWords[] = {\n" + "".join(lines) + "};\n",
        "ascii",
    )
    print(f"{len(rows)} words, {known:.1%} of Latin text; another word {other:.2f} nats")


if __name__ == "__main__":
    main()
