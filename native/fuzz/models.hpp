// Opens the shipped models from the folder WEBTONGUE_MODELS for the fuzz targets.
#pragma once

#include <memory>

#include "charset/byte_model.hpp"
#include "fonts/detector.hpp"
#include "page/flow.hpp"
#include "url/classifier.hpp"

namespace webtongue {

// The bytes of a file at an aligned address, in memory of exact size.
class Memory {
public:
    explicit Memory(const std::vector<Byte>& bytes);
    Span span() const { return {bytes_.get(), bytes_.get() + size_}; }

private:
    std::unique_ptr<Byte, Free> bytes_;
    size_t size_ = 0;
};

std::vector<Byte> read_model(const char* name);  // aborts if the file is missing

// A small table of suffixes and one of codes.
constexpr const char* FUZZ_SUFFIXES = "com\nco.uk\n*.ck\n!www.ck\nde\n";
constexpr const char* FUZZ_CODES =
    "de\tcode\tdeu_Latn\t800\t900\t700\t800\t500\t300\t200\t900\t300\nde-*\tlocale\tdeu_Latn\t900\t900\nfrench\tname\tfra_Latn\t900\n"
    "ch-de\tlocale\tdeu_Latn\t900\t900\nxx\tcode\tmlt_Latn\t400\t400\nis\ttld\tmlt_"
    "Latn\t700\nde\tregion\t\nрф\talias\tru\nGeor\tscript\tmlt_Latn\t500\n";
constexpr UrlLimits FUZZ_LIMITS{-4 * LOG_SCALE, -LOG_SCALE / 8, LOG_SCALE / 2, 0.5};

// The tools for analysing pages, for a text model and a font model.
struct ToolBox {
    ToolBox(const Model& model, const FontDetector& fonts);

    Priors priors;
    Policy policy;
    CommonStrings common;
    Tools tools;
};

// Checks that hold for every result of every model.
void check_guesses(const Model& model, const std::vector<Guess>& guesses);
void check_decision(const Model& model, const Decision& decision);
void check_reading(const Model& model, const Reading& reading, size_t page);

// Checks that a packed reading decides as the original does, by its text alone and with hints.
void check_packed(const ToolBox& tools_box, DecidedReading read, Byte options_byte);

// Reads again with requested labels, applies hints of any size twice, and checks the reading.
void check_with_hints(const ToolBox& tools_box, Scan& scan, size_t page, Byte options_byte);

}  // namespace webtongue
