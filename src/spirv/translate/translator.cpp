// SPDX-License-Identifier: MIT
//
// The driver. It turns one entry point of a parsed module into the LLVM function `main`. SPIR-V functions are inlined
// as they are translated, so every pointer is known symbolically.
//
// Folders and files, in the order in which they build on each other:
//   context/     the Context that all objects work with: types (type_table.h) and values of ids (values.h)
//   variables/   the shader's own variables: as SSA values (variable_values.h), or in memory (own_memory.h)
//   interface/   inputs and outputs: their places, reads and writes; shared outputs are those of control shaders
//   memory/      pointers, and loads and stores through them: explicitly laid out memory, shared memory; descriptors;
//   large arrays and structures as values (composites.h) ops/         instructions. handlers.def says what each one
//   does; the Services have all objects above globals.h    what the module declares: constants.cpp, variables.cpp,
//   execution_modes.cpp functions.h, function_body.h, phis.h   calls, blocks and branches
#include "src/base/compile_phases.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/module/specialize.h"
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/reflect/stage_modes.h"
#include "src/spirv/translate/functions.h"
#include "src/spirv/translate/globals.h"
#include "src/spirv/translate/translate.h"
#include "src/spirv/validate/capabilities.h"

namespace dovetail::spirv {

namespace {

Result<void> translateEntryPoint(Services &s, const SourcePlaces &places) {
  std::optional<SourceLines> lines;
  if (!places.isEmpty())
    lines.emplace(places, *s.main);
  DOVETAIL_CHECK(translateConstants(s));
  DOVETAIL_CHECK(translateExecutionModes(s));

  // Beyond this point, the shader's modes are final, except useSubgroupSize. An op may read them from here on.
  DOVETAIL_CHECK(translateVariables(s));
  s.sharedMemory.zero();
  if (s.sharedOutputs.hasInitializers())
    s.builder.CreateBarrier(); // no invocation may store before the others' initializers

  // Beyond this point, every global id is bound; globals' instructions (initialisers) are in the entry block.
  Functions functions(s, lines ? &*lines : nullptr);
  DOVETAIL_CHECK(functions.translateEntry(s.module.functions[s.module.functionIndex.at(s.entry.function)]));
  s.variableValues.branch(*s.exit, s.builder.CreateBr(s.exitBlock));
  s.variableValues.close(*s.exit);
  s.variableValues.enter(*s.exit);

  // Beyond this point, the outputs that the shader stores to are known.
  if (lines)
    s.builder.SetCurrentDebugLocation(lines->nowhere());
  s.exitBlock->moveAfter(&s.main->back());
  DOVETAIL_CHECK(s.outputs.finish());
  s.builder.CreateRetVoid();
  if (lines)
    lines->finish();
  return {};
}

} // namespace

Result<std::unique_ptr<llvm::Module>> translate(std::span<const uint32_t> words, const TranslateOptions &options,
                                                lgc::BuilderContext &context, lgc::Builder &builder) {
  const PhaseScope phase(CompilePhase::Translate);
  std::vector<uint32_t> specialized;
  if (!options.specConstants.empty())
    words = specialized = DOVETAIL_TRY(specialize(words, options.specConstants));
  Module module = DOVETAIL_TRY(readModule(words, options.environment));
  const EntryPoint *entry = DOVETAIL_TRY(findEntryPoint(module, options.entryPoint, options.stage));
  DOVETAIL_CHECK(checkModule(module));
  std::unique_ptr<llvm::Module> target = context.createModule(options.entryPoint);
  const SourcePlaces places = options.sourceLines ? SourcePlaces(words) : SourcePlaces();
  Services services(module, *entry, options, builder, *target);
  DOVETAIL_CHECK(translateEntryPoint(services, places));
  return target;
}

Result<std::unique_ptr<llvm::Module>> translate(std::span<const uint32_t> words, const TranslateOptions &options,
                                                lgc::BuilderContext &context) {
  std::unique_ptr<lgc::Builder> builder = context.createBuilder();
  std::unique_ptr<llvm::Module> target = DOVETAIL_TRY(translate(words, options, context, *builder));
  builder->shaderModes().record(*target);
  return target;
}

} // namespace dovetail::spirv
