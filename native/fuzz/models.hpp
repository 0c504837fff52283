// The shipped models as the fuzz targets open them: from the folder that WEBTONGUE_MODELS names.
#pragma once

#include <memory>

#include "coding/byte_model.hpp"
#include "fonts/guess.hpp"
#include "page/flow.hpp"
#include "url/model.hpp"

namespace webtongue {

// A file's bytes at an aligned address, in memory of their own size.
class Memory {
public:
    Memory() = default;
    explicit Memory(const std::vector<Byte>& bytes);
    Byte* data() const { return bytes_.get(); }
    size_t size() const { return size_; }
    Span span() const { return {bytes_.get(), bytes_.get() + size_}; }

private:
    std::unique_ptr<Byte, Free> bytes_;
    size_t size_ = 0;
};

std::vector<Byte> read_model(const char* name);  // ends the process where there is none

// What a page is looked at with, over a text model and a font model.
struct ToolBox {
    ToolBox(const Model& model, const FontGuess& fonts);

    Priors priors;
    Policy policy;
    CommonStrings common;
    Tools tools;
};

// What must hold of every answer, whatever the model.
void check_guesses(const Model& model, const std::vector<Guess>& guesses);
void check_decision(const Model& model, const Decision& decision);
void check_reading(const Model& model, const Reading& reading, size_t page);

// What is left of a reading that was packed decides as the reading did, by its text alone and with the same hints.
void check_packed(const ToolBox& box, Read read, Byte how);

// Read again for some labels, and hints of any size weighed in, twice: what must hold of a reading holds still.
void check_hinted(const ToolBox& box, Scan& scan, size_t page, Byte how);

}  // namespace webtongue
