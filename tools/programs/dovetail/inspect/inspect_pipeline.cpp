// SPDX-License-Identifier: MIT
#include "tools/programs/dovetail/inspect/inspect_pipeline.h"
#include "merge/check/check_image.h"
#include "parts/compile/assembly.h"
#include "parts/kinds/part_description.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/common/pipelines/report.h"
#include "tools/common/pipelines/source_text.h"
#include "tools/programs/dovetail/inspect/live_registers.h"
#include "tools/programs/dovetail/inspect/program_row.h"
#include "variants/inspect/print_assembly.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <charconv>

namespace dovetail {

namespace {

std::string printStages(const Subject &subject) {
  std::string text;
  for (const ShaderRef &shader : subject.shaders.shaders)
    if (shader)
      text += fmt::format("{}{} \"{}\"", text.empty() ? "" : ", ", stageName(shader->description.stage),
                          shader->description.entryPoint);
  return text;
}

std::string printParts(const Variant &variant, const TargetInfo &target) {
  std::vector<std::vector<std::string>> rows = {
      {"part", "bytes", "instructions", "sgprs", "vgprs", "waves", "tier", "what it does"}};
  for (const ImagePart &placed : variant.image->parts) {
    const Part &part = *placed.part;
    rows.push_back({partSymbol(*variant.image, placed), std::to_string(part.code.size()),
                    std::to_string(part.instructionCount), std::to_string(part.usage.sgprs),
                    std::to_string(part.usage.vgprs),
                    std::to_string(wavesPerSimd(target, part.usage.sgprs, part.usage.vgprs)), tierOf(part),
                    partDescription(part)});
  }
  return printTable(rows);
}

// One of the pipeline's kinds of code; without a variant, the pipeline has no such code.
struct Code {
  const char *name;
  VariantRef variant;
};

Result<std::string> printPrograms(const std::vector<Code> &codes, const TargetInfo &target, uint32_t threads) {
  std::vector<std::vector<std::string>> rows = {{"program", "code", "instructions", "cycles", "sgprs", "vgprs", "waves",
                                                 "scratch", "lds", "limited by", "instead of joined code"}};
  const Image &joined = *codes.front().variant->image;
  for (size_t stage = 0; stage < joined.stages.size(); ++stage)
    for (const Code &code : codes) {
      if (!code.variant || code.variant->image->stages.size() != joined.stages.size())
        continue;
      const ProgramRow row = DOVETAIL_TRY(programRows(*code.variant->image, target, threads))[stage];
      rows.push_back({row.stage, code.name, std::to_string(row.instructions), std::to_string(row.cycles),
                      std::to_string(row.sgprs), std::to_string(row.vgprs), std::to_string(row.waves),
                      std::to_string(row.scratchBytes), std::to_string(row.ldsBytes), row.limit,
                      DOVETAIL_TRY(compareMnemonics(joined, *code.variant->image, stage))});
    }
  return printTable(rows);
}

// Prints the greatest number of live registers in each program, and the code; each instruction with the number of
// registers that are live before it.
Result<std::string> printCode(Device &device, const Subject &subject, const Variant &variant) {
  const Image &image = *variant.image;
  const std::map<uint32_t, LiveCount> live = countLiveRegisters(image);
  SourceText sources;
  std::vector<CodeLine> lines;
  if (!variant.monolithic && !variant.optimized)
    lines = DOVETAIL_TRY(device.findSourceLines(subject.shaders, subject.state, variant));
  const std::string code =
      DOVETAIL_TRY(printAssembly(image, lines, [&](const CodeLine &line) { return sources.describe(line); }));

  std::string text;
  for (const ImageStage &stage : image.stages) {
    LiveCount most;
    uint32_t place = stage.entry;
    for (auto at = live.lower_bound(stage.entry); at != live.end() && at->first < stage.entry + stage.size; ++at) {
      if (at->second.vgprs > most.vgprs)
        place = at->first;
      most = {std::max(most.vgprs, at->second.vgprs), std::max(most.sgprs, at->second.sgprs)};
    }
    text += fmt::format("; {}: at most {} VGPRs (at {:06x}) and {} SGPRs are live, of {} and {}\n",
                        toString(stage.stage), most.vgprs, place, most.sgprs, stage.usage.vgprs, stage.usage.sgprs);
  }
  text += "; live VGPRs and SGPRs, offset, instruction\n";
  for (size_t begin = 0; begin < code.size();) {
    const size_t end = std::min(code.find('\n', begin), code.size());
    const std::string line = code.substr(begin, end - begin);
    begin = end + 1;
    uint32_t offset = 0;
    auto [stop, failure] = std::from_chars(line.data(), line.data() + line.size(), offset, 16);
    const bool isInstruction = !line.starts_with(';') && failure == std::errc();
    const auto count = isInstruction ? live.find(offset) : live.end();
    text += count != live.end() ? fmt::format("v{:<3} s{:<3} {}\n", count->second.vgprs, count->second.sgprs, line)
                                : line + "\n";
  }
  return text;
}

} // namespace

Result<std::string> compareMnemonics(const Image &code, const Image &other, size_t stage) {
  std::map<std::string, int> change;
  for (const auto &[image, step] : {std::pair(&code, -1), std::pair(&other, 1)}) {
    auto disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(image->gpuName));
    const ImageStage &program = image->stages[stage];
    const std::span<const uint8_t> text = std::span(image->code).first(image->textSize);
    for (uint32_t offset = program.entry; offset < program.entry + program.size;) {
      const isa::Instruction instruction = DOVETAIL_TRY(disassembler->decode(text, offset));
      const std::string line = DOVETAIL_TRY(disassembler->print(text, offset));
      change[line.substr(0, line.find(' '))] += step;
      offset += instruction.size;
    }
  }
  std::vector<std::pair<std::string, int>> changes(change.begin(), change.end());
  std::erase_if(changes, [](const auto &entry) { return entry.second == 0; });
  std::ranges::stable_sort(changes, std::greater(), [](const auto &entry) { return std::abs(entry.second); });
  constexpr size_t Most = 6;
  std::string text;
  for (size_t index = 0; index < std::min(changes.size(), Most); ++index)
    text += fmt::format("{}{:+} {}", text.empty() ? "" : ", ", changes[index].second, changes[index].first);
  return changes.size() > Most ? text + ", …" : text;
}

Result<std::string> describePipeline(Device &device, const Subject &subject, InspectedCode code) {
  const VariantRef joined = DOVETAIL_TRY(device.bind(subject.shaders, subject.state));
  DOVETAIL_CHECK(checkImage(*joined->image));
  const VariantRef monolithic = DOVETAIL_TRY(device.bind(subject.shaders, subject.state, {.monolithic = true}));
  const PipelineState state = canonicalize(subject.state, subject.shaders);
  const OptimizedBuild optimized =
      DOVETAIL_TRY(buildOptimizedVariant(device.partMaker(), makeOptimizedKey(subject.shaders, state, nullptr),
                                         subject.shaders, state, nullptr, *joined, {}));
  std::string text = fmt::format("{}: {}, on {}\n\n", subject.name, printStages(subject), joined->image->gpuName);
  FirstCodeBuild firstCode;
  if (code == InspectedCode::FirstCode)
    firstCode = DOVETAIL_TRY(buildFirstCode(device.target().gpuName, subject.shaders, subject.state));
  text += printParts(firstCode.variant ? *firstCode.variant : *joined, device.target()) + "\n";
  if (firstCode.variant)
    text += printFirstCode(firstCode.counts) + "\n";
  text += DOVETAIL_TRY(printPrograms({{"joined", joined},
                                      {"monolithic", monolithic},
                                      {"optimised", optimized.variant},
                                      {"first code", firstCode.variant}},
                                     device.target(), workgroupThreads(subject.shaders)));
  if (!optimized.variant)
    text += fmt::format("no optimised code: {}\n", optimized.rejection);
  const VariantRef shown = code == InspectedCode::Joined       ? joined
                           : code == InspectedCode::Monolithic ? monolithic
                           : code == InspectedCode::FirstCode  ? firstCode.variant
                                                               : optimized.variant;
  if (!shown)
    return text;
  return text + "\n" + DOVETAIL_TRY(printCode(device, subject, *shown));
}

} // namespace dovetail
