// SPDX-License-Identifier: MIT
#include "tools/report.h"
#include "tools/assembly.h"
#include <algorithm>

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

std::string wavesOf(const lgc::TargetInfo &target, const Usage &usage) {
  return std::to_string(lgc::wavesPerSimd(target, usage.sgprs, usage.vgprs));
}

Result<std::string> printInstructions(mc::Disassembler &disassembler, std::span<const uint8_t> text, uint32_t begin,
                                      uint32_t end) {
  return printLines(DOVETAIL_TRY(disassemble(disassembler, text, begin, end)));
}

} // namespace

std::string printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column)
      line += column == 0 ? fmt::format("{:<{}}", row[column], widths[column])
                          : fmt::format("  {:>{}}", row[column], widths[column]);
    while (line.ends_with(' '))
      line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string printStatistics(const Variant &variant, const lgc::TargetInfo &target) {
  const Image &image = *variant.image;
  std::vector<std::vector<std::string>> rows = {
      {"part", "bytes", "instructions", "sgprs", "vgprs", "waves", "scratch", "lds", "from", "us"}};
  for (size_t index = 0; index < variant.parts.size(); ++index) {
    const PartUse &use = variant.parts[index];
    const Part &part = *use.part;
    rows.push_back({partSymbol(image, image.parts[index]), std::to_string(part.code.size()),
                    std::to_string(part.instructionCount), std::to_string(part.usage.sgprs),
                    std::to_string(part.usage.vgprs), wavesOf(target, part.usage),
                    std::to_string(part.usage.scratchBytes), std::to_string(part.usage.ldsBytes),
                    use.made ? "made" : "found", fmt::format("{:.1f}", use.microseconds)});
  }
  for (const ImageStage &stage : image.stages)
    rows.push_back({fmt::format("{} joined", toString(stage.stage)), std::to_string(stage.size), "",
                    std::to_string(stage.usage.sgprs), std::to_string(stage.usage.vgprs), wavesOf(target, stage.usage),
                    std::to_string(stage.usage.scratchBytes), std::to_string(stage.usage.ldsBytes), "", ""});
  rows.push_back({"image", std::to_string(image.code.size()), "", "", "", "", "", "", "joined",
                  fmt::format("{:.1f}", variant.joinMicroseconds)});
  return printTable(rows);
}

Result<std::string> printAssembly(const Image &image) {
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
      result += fmt::format(";   {}\n", placed.part->description);
      result += printContract(placed.part->contract);
      result += DOVETAIL_TRY(printInstructions(*disassembler, text, placed.offset, placed.offset + placed.size));
      offset = placed.offset + placed.size;
    }
  }
  return result;
}

} // namespace dovetail
