// SPDX-License-Identifier: MIT
#include "variants/inspect/print_assembly.h"
#include "parts/compile/assembly.h"
#include "parts/kinds/part_description.h"

namespace dovetail {

namespace {

std::string printBindings(const std::vector<Binding> &bindings) {
  if (bindings.empty())
    return "nothing";
  std::string text;
  for (const Binding &binding : bindings)
    text += (text.empty() ? "" : ", ") + printBinding(binding);
  return text;
}

std::string printContract(const Contract &contract) {
  std::string text = fmt::format(";   takes {}\n", printBindings(contract.inputs));
  if (contract.endsProgram)
    return text + ";   ends the program\n";
  text += fmt::format(";   gives {}\n", printBindings(contract.outputs));
  if (contract.preservedSgprs > 0 || contract.preservedVgprs > 0)
    text += fmt::format(";   keeps s0..{} and v0..{}\n", contract.preservedSgprs - 1, contract.preservedVgprs - 1);
  return text;
}

Result<std::string> printInstructions(mc::Disassembler &disassembler, std::span<const uint8_t> text, uint32_t begin,
                                      uint32_t end) {
  return printLines(DOVETAIL_TRY(disassemble(disassembler, text, begin, end)));
}

// Consecutive instructions from one line.
struct LinedPiece {
  uint32_t begin;
  std::string comment; // "": none
};

// The pieces of [begin, end).
std::vector<LinedPiece> cutByLines(uint32_t begin, uint32_t end, std::span<const CodeLine> lines,
                                   const std::function<std::string(const CodeLine &)> &describe) {
  std::vector<LinedPiece> pieces = {{begin, ""}};
  for (const CodeLine &line : lines) {
    if (line.offset < begin || line.offset >= end)
      continue;
    const bool isBelowALine = !pieces.back().comment.empty();
    std::string comment;
    if (line.line != 0)
      comment = fmt::format("; {}\n", describe(line));
    else if (isBelowALine)
      comment = "; no source line\n";
    if (pieces.back().begin == line.offset)
      pieces.pop_back();
    pieces.push_back({line.offset, std::move(comment)});
  }
  return pieces;
}

} // namespace

Result<std::string> printAssembly(const Image &image, std::span<const CodeLine> lines,
                                  const std::function<std::string(const CodeLine &)> &describe) {
  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(image.gpuName));
  std::span<const uint8_t> text = std::span(image.code).first(image.textSize);
  std::string result;
  for (const ImageStage &stage : image.stages) {
    result += fmt::format("; ===== {} program at {:#x}, {} bytes, {} user SGPRs =====\n", toString(stage.stage),
                          stage.entry, stage.size, stage.userSgprCount);
    uint32_t offset = stage.entry;
    for (size_t index = 0; index < stage.partCount; ++index) {
      const ImagePart &placed = image.parts[stage.firstPart + index];
      if (placed.offset > offset) {
        result += fmt::format("; wait states between the parts\n");
        result += DOVETAIL_TRY(printInstructions(*disassembler, text, offset, placed.offset));
      }
      result +=
          fmt::format("; ----- {} at {:#x}, {} bytes -----\n", partSymbol(image, placed), placed.offset, placed.size);
      result += fmt::format(";   {}\n", partDescription(*placed.part));
      result += printContract(placed.part->contract);
      offset = placed.offset + placed.size;
      const std::vector<LinedPiece> pieces = cutByLines(placed.offset, offset, lines, describe);
      for (size_t piece = 0; piece < pieces.size(); ++piece) {
        const uint32_t end = piece + 1 < pieces.size() ? pieces[piece + 1].begin : offset;
        result += pieces[piece].comment;
        result += DOVETAIL_TRY(printInstructions(*disassembler, text, pieces[piece].begin, end));
      }
    }
  }
  return result;
}

} // namespace dovetail
