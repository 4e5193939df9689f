// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/link_modes.h"
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/pipeline.h"
#include "variants/assemble/build_variant.h"
#include "variants/link/elf_linker.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/part_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

using lgc::ShaderStage;
using File = std::vector<uint8_t>;

constexpr std::array<std::string_view, PipelineModeCount> Names = {"joined", "whole", "unlinked", "part"};

// Glue goes through files, too.
Result<VariantRef> linkWithGlue(ElfLinker &linker, PartMaker &compiler, const PipelineState &state,
                                const ResourceLayoutRef &layout, const std::vector<File> &files) {
  ElfLinker glueMaker(compiler, state, layout);
  for (const File &file : files)
    DOVETAIL_CHECK(glueMaker.addInputElf(file));
  const std::vector<GlueInfo> wanted = DOVETAIL_TRY(linker.getGlueInfo());
  if (wanted != DOVETAIL_TRY(glueMaker.getGlueInfo()))
    return makeError(ErrorCode::CheckFailed, "two linkers of the same files want different glue");
  for (size_t index = 0; index < wanted.size(); ++index) {
    const File glue = DOVETAIL_TRY(glueMaker.compileGlue(index));
    DOVETAIL_CHECK(linker.addGlue(index, glue));
  }
  return linker.linkVariant();
}

// The fragment shader comes first: the shaders before it must hand on the primitive values that it reads.
Result<VariantRef> linkUnlinked(PartMaker &compiler, PartMaker &linkingMaker, const ShaderSet &shaders,
                                const PipelineState &state) {
  ElfLinker linker(linkingMaker, state, shaders.layout);
  std::vector<File> files;
  UnlinkedOptions options;
  options.layout = shaders.layout;
  for (size_t index = lgc::ShaderStageCount; index-- > 0;) {
    const ShaderRef &shader = shaders.shaders[index];
    if (!shader)
      continue;
    options.next = shaders.stageBehind(ShaderStage(index));
    files.push_back(DOVETAIL_TRY(compileUnlinkedShader(compiler, shader, options)));
    DOVETAIL_CHECK(linker.addInputElf(files.back()));
    options.exportPrimitiveId =
        ShaderStage(index) == lgc::ShaderStage::Fragment &&
        DOVETAIL_TRY(decodeMappings(DOVETAIL_TRY(linker.getFsInputMappings()))).readsPrimitiveId;
  }
  return linkWithGlue(linker, compiler, state, shaders.layout, files);
}

Result<VariantRef> linkParts(PartMaker &compiler, PartMaker &linkingMaker, const ShaderSet &shaders,
                             const PipelineState &state) {
  ElfLinker linker(linkingMaker, state, shaders.layout);
  std::vector<File> files;
  FsInputMappings mappings;
  if (shaders.shader(lgc::ShaderStage::Fragment)) {
    files.push_back(DOVETAIL_TRY(compileFragmentPart(compiler, shaders, state)));
    DOVETAIL_CHECK(linker.addInputElf(files.back()));
    mappings = DOVETAIL_TRY(decodeMappings(DOVETAIL_TRY(linker.getFsInputMappings())));
  }
  for (File &file : DOVETAIL_TRY(compileOtherPart(compiler, shaders, state, mappings))) {
    DOVETAIL_CHECK(linker.addInputElf(file));
    files.push_back(std::move(file));
  }
  return linkWithGlue(linker, compiler, state, shaders.layout, files);
}

// Goes by way of bitcode, as if another process had made each shader.
Result<VariantRef> buildFromIr(PartMaker &compiler, const ShaderSet &shaders, const PipelineState &state) {
  const std::string module = DOVETAIL_TRY(writeIrPipeline(shaders, state, compiler.gpuName(), lgc::IrFormat::Bitcode));
  const IrPipeline pipeline = DOVETAIL_TRY(readIrPipeline("the pipeline", module, compiler.gpuName()));
  return buildWholePipeline(compiler, pipeline.shaders, pipeline.state);
}

} // namespace

std::string_view toString(PipelineMode mode) {
  return Names[size_t(mode)];
}

std::vector<std::string> modeNames() {
  return {Names.begin(), Names.end()};
}

std::vector<PipelineMode> modesOf(const std::vector<std::string> &names) {
  std::vector<PipelineMode> modes;
  for (const std::string &name : names)
    modes.push_back(PipelineMode(std::ranges::find(Names, name) - Names.begin()));
  return modes;
}

Result<LinkedPipeline> buildInMode(PartMaker &compiler, PartMaker &linker, const ShaderSet &shaders,
                                   const PipelineState &state, PipelineMode mode) {
  LinkedPipeline pipeline;
  const uint64_t linkerCompiles = linker.compileCounts().emitted;
  auto build = [&]() -> Result<VariantRef> {
    // A compute shader stands alone: it has no two parts.
    const bool isCompute = shaders.shader(lgc::ShaderStage::Compute) != nullptr;
    if (mode == PipelineMode::Unlinked || (mode == PipelineMode::Part && isCompute))
      return linkUnlinked(compiler, linker, shaders, state);
    if (mode == PipelineMode::Part)
      return linkParts(compiler, linker, shaders, state);
    if (mode == PipelineMode::Whole)
      return buildFromIr(compiler, shaders, state);
    const PipelineState canonical = canonicalize(state, shaders);
    return buildVariant(compiler, makeVariantKey(shaders, canonical, {}), shaders, canonical, {});
  };
  Result<VariantRef> variant = build();
  if (!variant && (variant.error().code == ErrorCode::Unsupported || variant.error().code == ErrorCode::JoinRefused)) {
    // Do as LLPC does when its linker gives up.
    pipeline.refusal = variant.error().text;
    variant = buildWholePipeline(compiler, shaders, state);
  }
  pipeline.made = imageOf(DOVETAIL_TRY(std::move(variant)));
  if (linker.compileCounts().emitted != linkerCompiles)
    return makeError(ErrorCode::CheckFailed, "linking has compiled something");
  DOVETAIL_CHECK(checkImage(*pipeline.made));
  pipeline.elf = DOVETAIL_TRY(writePalElf(*pipeline.made));
  pipeline.image = DOVETAIL_TRY(readPalElf(pipeline.elf));
  return pipeline;
}

} // namespace dovetail
