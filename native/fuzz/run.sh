#!/bin/sh
# Build the fuzz target with ASan and UBSan and run it for FUZZ_SECONDS (60), seeded with the example pages.
# Needs clang; `make fuzz` installs it. Findings and corpus go to FUZZ_DIR (build/fuzz).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${FUZZ_DIR:-$root/build/fuzz}
mkdir -p "$dir/corpus" "$dir/seeds"
for page in "$root"/examples/pages/*.*; do
    case $page in *.jsonl) continue ;; esac
    for mode in 0 1 2 3 4 5 6 7; do
        { printf "\\00$mode"; head -c 4000 "$page"; } > "$dir/seeds/$mode-$(basename "$page")"
    done
done
cd "$root/native"
clang++ -std=c++17 -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=fuzzer,address,undefined -I. \
    fuzz/fuzz_scan.cpp byte_model.cpp claims.cpp entities.cpp fonts.cpp junk.cpp misread.cpp multibyte.cpp noise.cpp pieces.cpp prescan.cpp readings.cpp scan.cpp scripts.cpp survey.cpp \
    tags.cpp utf.cpp \
    -o "$dir/fuzz_scan"
cd "$dir"
exec ./fuzz_scan -max_total_time="${FUZZ_SECONDS:-60}" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -dict="$root/native/fuzz/html.dict" corpus seeds
