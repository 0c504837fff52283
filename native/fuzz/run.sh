#!/bin/sh
# Build the kernel with ASan and UBSan, and run each fuzz target (or those named) for FUZZ_SECONDS (60).
# Needs clang; `make fuzz` installs it. Findings and corpora go to FUZZ_DIR (build/fuzz); the models are the shipped ones.
# native/fuzz/run.sh [page|models|damaged|train ...]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${FUZZ_DIR:-$root/build/fuzz}
export WEBTONGUE_MODELS="${WEBTONGUE_MODELS:-$root/src/webtongue/models}"
[ $# -gt 0 ] || set -- page models damaged train
flags="-std=c++17 -g -O2 -fno-omit-frame-pointer -fno-sanitize-recover=all -I$root/native"
mkdir -p "$dir/objects"

# Everything that CMake builds but the bindings, and the models as the targets open them.
sources=$(grep -v '^#\|^bind/' "$root/native/sources.txt"; echo fuzz/models.cpp)
objects=$(for source in $sources; do echo "$dir/objects/$(echo "$source" | tr / _).o"; done)
for source in $sources; do
    object=$dir/objects/$(echo "$source" | tr / _).o
    [ -f "$object" ] && [ -z "$(find "$root/native" -newer "$object" -name '*.[chi]*')" ] || echo "$root/native/$source $object"
done | xargs -r -P "${FUZZ_JOBS:-2}" -L 1 sh -c "clang++ $flags -fsanitize=fuzzer-no-link,address,undefined -c \"\$0\" -o \"\$1\""

# Seeds: example pages, behind the bytes by which a target chooses what it reads.
for page in "$root"/examples/pages/*.*; do
    case $page in *.jsonl) continue ;; esac
    name=$(basename "$page")
    mkdir -p "$dir/page/seeds" "$dir/models/seeds" "$dir/train/seeds" "$dir/damaged/seeds"
    for mode in 00 01 02 03 04 05 06 07 10 20 30 40; do { printf "\\0$mode"; head -c 2000 "$page"; } > "$dir/page/seeds/$mode-$name"; done
    for mode in 0 1 2 3 4; do { printf "\\00$mode\\00$mode"; head -c 2000 "$page"; } > "$dir/models/seeds/$mode-$name"; done
    for mode in 0 1 2; do { printf "\\00$mode"; head -c 1500 "$page"; } > "$dir/train/seeds/$mode-$name"; done
    for mode in 00 06 12 17; do { printf "\\0$mode\\003"; head -c 900 "$page"; } > "$dir/damaged/seeds/$mode-$name"; done
done
printf '\002\000https://www.example.co.uk/de/nachrichten?lang=de&x=%%C3%%BC#y' > "$dir/models/seeds/url"
# A reading of two guesses and two shares: native/text/packed.cpp has the order of its numbers.
printf '\005\007\002\200\001\310\001\032\032\000\010\050\014\012\000\001\001\001\310\001\005\002\024\005\140\307\047\002\024\143\140\024' \
    > "$dir/models/seeds/packed"

# And inputs that earlier runs found, reduced to those that reach further code (libFuzzer's -set_cover_merge).
for target in "$@"; do
    mkdir -p "$dir/$target/found"
    tar -xJf "$root/native/fuzz/corpus.tar.xz" -C "$dir/$target/found" --strip-components=1 "$target"
done

status=0
for target in "$@"; do
    clang++ $flags -fsanitize=fuzzer,address,undefined "$root/native/fuzz/fuzz_$target.cpp" $objects -o "$dir/fuzz_$target"
    mkdir -p "$dir/$target/corpus"
    (cd "$dir/$target" && "$dir/fuzz_$target" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=2048 -timeout=20 -rss_limit_mb=2048 \
        -dict="$root/native/fuzz/html.dict" -print_final_stats=1 corpus seeds found) || status=1
done
exit $status
