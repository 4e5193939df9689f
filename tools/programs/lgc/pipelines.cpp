// SPDX-License-Identifier: MIT
#include "tools/programs/lgc/pipelines.h"
#include "gfx9-merged/stage_map.h"
#include "merge/elf/pal_elf.h"
#include "parts/kinds/main_part.h"
#include "src/base/asking_thread.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/ir_file.h"
#include "tools/common/command/write_file.h"
#include "variants/assemble/get_parts.h"
#include "variants/inspect/print_assembly.h"
#include "variants/link/elf_linker.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/part_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include <algorithm>
#include <llvm/IR/LLVMContext.h>
#include <optional>

namespace dovetail::lgc_tool {

namespace {

using File = std::vector<uint8_t>;

std::string textOf(const File &file) {
  return {file.begin(), file.end()};
}

File bytesOf(const std::string &text) {
  return {text.begin(), text.end()};
}

// By default, glue is encoded without IR. With an observer, it is compiled, so that its IR can be seen.
Result<std::unique_ptr<PartMaker>> createMaker(const Options &options, const lgc::StepObserver &observer) {
  std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create(options.gpu));
  maker->setPackInOut(options.packInOut);
  if (observer) {
    maker->setObserver(observer);
    maker->compilePrologsAndEpilogs();
  }
  return maker;
}

// Writes a finished pipeline in the wanted form.
Result<std::string> written(const Options &options, const Image &image) {
  return options.fileType == FileType::Assembly ? printAssembly(image) : textOf(DOVETAIL_TRY(writePalElf(image)));
}

// Writes a file that is to be linked.
Result<std::string> writtenFile(const Options &options, const File &file) {
  if (options.fileType == FileType::Assembly && !options.emitLlvm)
    return makeError(ErrorCode::Unsupported, "there is no text of a shader or of glue that is to be linked");
  return textOf(file);
}

// The index of the wanted file of compileOtherPart(), which makes one for each shader in front of the fragment shader.
Result<size_t> indexOfWanted(const Options &options, const std::string &name, const ShaderSet &shaders) {
  std::vector<lgc::ShaderStage> stages;
  for (size_t index = 0; index < size_t(lgc::ShaderStage::Fragment); ++index)
    if (shaders.shaders[index])
      stages.push_back(lgc::ShaderStage(index));
  if (!options.stage && stages.size() != 1)
    return makeError(ErrorCode::InvalidInput,
                     "{}: -other: the other part has {} shaders, and a file holds one; -stage says which", name,
                     stages.size());
  const auto found = options.stage ? std::ranges::find(stages, *options.stage) : stages.begin();
  if (found == stages.end())
    return makeError(ErrorCode::InvalidInput, "{}: -stage: the pipeline has no {} shader", name,
                     toString(*options.stage));
  return size_t(found - stages.begin());
}

} // namespace

Result<std::string> compilePipeline(const Options &options, const std::string &name, const std::string &bitcode,
                                    const lgc::StepObserver &observer) {
  // Makes stages compile one after the other, so that the observer sees one at a time.
  std::optional<OptimizingScope> inTurn;
  if (observer)
    inTurn.emplace();
  const IrPipeline pipeline = DOVETAIL_TRY(readIrPipeline(name, bitcode, options.gpu));
  std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(createMaker(options, observer));
  if (options.way == Way::Whole)
    return written(options, *DOVETAIL_TRY(buildWholePipeline(*maker, pipeline.shaders, pipeline.state))->image);
  if (options.way == Way::FragmentPart)
    return writtenFile(options, DOVETAIL_TRY(compileFragmentPart(*maker, pipeline.shaders, pipeline.state)));
  if (options.way == Way::OtherPart) {
    ElfLinker linker(*maker, pipeline.state, pipeline.shaders.layout);
    const std::string fragment = DOVETAIL_TRY(readWholeFile(options.other));
    DOVETAIL_CHECK(linker.addInputElf(bytesOf(fragment)));
    const FsInputMappings mappings = DOVETAIL_TRY(decodeMappings(DOVETAIL_TRY(linker.getFsInputMappings())));
    const size_t wanted = DOVETAIL_TRY(indexOfWanted(options, name, pipeline.shaders));
    return writtenFile(options,
                       DOVETAIL_TRY(compileOtherPart(*maker, pipeline.shaders, pipeline.state, mappings))[wanted]);
  }
  // Unlinked.
  ShaderRef only;
  for (const ShaderRef &shader : pipeline.shaders.shaders) {
    if (shader && only)
      return makeError(ErrorCode::Unsupported, "{}: -unlinked: the module has several shaders, and a file holds one",
                       name);
    if (shader)
      only = shader;
  }
  UnlinkedOptions unlinked;
  unlinked.next = options.next;
  unlinked.exportPrimitiveId = options.exportPrimitiveId;
  unlinked.layout = pipeline.shaders.layout;
  return writtenFile(options, DOVETAIL_TRY(compileUnlinkedShader(*maker, only, unlinked)));
}

Result<std::string> linkFiles(const Options &options, const std::string &state,
                              const std::vector<std::string> &elfFiles, const lgc::StepObserver &observer) {
  IrState pipeline = DOVETAIL_TRY(readIrState(options.inputs.front(), state, options.gpu));
  std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(createMaker(options, observer));
  ElfLinker linker(*maker, std::move(pipeline.graphics.state),
                   std::make_shared<const ResourceLayout>(std::move(pipeline.graphics.userDataNodes),
                                                          std::move(pipeline.graphics.immutableSamplers)));
  if (pipeline.frontEnd)
    linker.setFrontEndState(std::move(*pipeline.frontEnd));
  for (size_t index = 0; index < elfFiles.size(); ++index)
    if (Result<void> added = linker.addInputElf(bytesOf(elfFiles[index])); !added)
      return makeError(added.error().code, "{}: {}", options.inputs[index + 1], added.error().text);
  const size_t glueCount = options.glue != 0 ? DOVETAIL_TRY(linker.getGlueInfo()).size() : 0;
  if (options.glue > glueCount)
    return makeError(ErrorCode::InvalidInput, "-glue={}: the pipeline has {} pieces", options.glue, glueCount);
  if (options.glue != 0)
    return writtenFile(options, DOVETAIL_TRY(linker.compileGlue(options.glue - 1)));
  return written(options, *DOVETAIL_TRY(linker.linkVariant())->image);
}

Result<std::vector<std::string>> splitPipeline(const Options &options, const std::string &name,
                                               const std::string &bitcode) {
  const IrPipeline pipeline = DOVETAIL_TRY(readIrPipeline(name, bitcode, options.gpu));
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = DOVETAIL_TRY(lgc::BuilderContext::create(llvmContext, options.gpu));
  std::vector<std::string> modules;
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index)
    if (pipeline.shaders.shaders[index]) {
      const ShaderSource source = sourceOf(pipeline.shaders, lgc::ShaderStage(index), options.gpu);
      std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(linkShader(source.key, source.words, *context));
      module->setModuleIdentifier(source.name);
      modules.push_back(lgc::writeIr(*module, lgc::IrFormat::Bitcode));
    }
  return modules;
}

} // namespace dovetail::lgc_tool
