// SPDX-License-Identifier: MIT
#include "variants/assemble/source_lines.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/module/source_places.h"
#include "variants/assemble/get_parts.h"
#include <algorithm>
#include <llvm/IR/LLVMContext.h>

namespace dovetail {

namespace {

struct LinedCode {
  std::vector<uint8_t> code;
  std::vector<CodeLine> lines;
};

Result<LinedCode> compileWithLines(const ShaderSource &source, std::string_view gpuName) {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, gpuName));
  lgc::CompiledShader compiled = DOVETAIL_TRY(compileShader(source.key, source.words, *context, {.sourceLines = true}));
  LinedCode result;
  result.lines = DOVETAIL_TRY(readLineTable(compiled.elf));
  result.code = DOVETAIL_TRY(makePart(std::move(compiled), gpuName)).code;
  return result;
}

} // namespace

Result<std::vector<CodeLine>> findSourceLines(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state,
                                              const Image &image) {
  std::vector<CodeLine> found;
  for (const CompiledStage &stage : DOVETAIL_TRY(compileStages({maker, state}, shaders))) {
    const PartRef &main = stage.main.part;
    const auto placed = std::ranges::find_if(image.parts, [&](const ImagePart &part) { return part.part == main; });
    const bool hasLines = !spirv::SourcePlaces(stage.source.words).isEmpty();
    if (!main || placed == image.parts.end() || !hasLines)
      continue;
    LinedCode lined = DOVETAIL_TRY(compileWithLines(stage.source, image.gpuName));
    if (lined.code != main->code)
      return makeError(ErrorCode::Internal, "{}: debug information has changed the code", stage.source.name);
    for (CodeLine &line : lined.lines) {
      line.offset += placed->offset;
      found.push_back(std::move(line));
    }
  }
  std::ranges::sort(found, {}, &CodeLine::offset);
  return found;
}

} // namespace dovetail
