// SPDX-License-Identifier: MIT
#include "parts/kinds/main_part.h"
#include "parts/compile/fill_part.h"
#include "parts/compile/toolchain_version.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/translate/translate.h"
#include <algorithm>
#include <llvm/IR/Module.h>
#include <tuple>

namespace dovetail {

namespace {

auto orderOf(const lgc::UserDataNode &node) {
  return std::tuple(node.type, node.set, node.binding, node.offsetInDwords, node.sizeInDwords, node.strideInDwords);
}

struct StageRow {
  PartKind kind;
  HardwareStage hardwareStage; // Vs: also Ls or Es
};

// By lgc::ShaderStage.
constexpr StageRow Stages[] = {
    {PartKind::VertexMain, HardwareStage::Vs},   {PartKind::TessControlMain, HardwareStage::Hs},
    {PartKind::TessEvalMain, HardwareStage::Vs}, {PartKind::GeometryMain, HardwareStage::Gs},
    {PartKind::FragmentMain, HardwareStage::Ps}, {PartKind::ComputeMain, HardwareStage::Cs},
};
static_assert(std::size(Stages) == lgc::ShaderStageCount);

} // namespace

PartKind mainPartKind(lgc::ShaderStage stage) {
  return Stages[size_t(stage)].kind;
}

HardwareStage mainHardwareStage(const ShaderSource &source) {
  HardwareStage stage = Stages[size_t(source.stage)].hardwareStage;
  return stage == HardwareStage::Vs ? source.vertexStage : stage;
}

MainPartKey makeMainPartKey(const ShaderSource &source, std::string_view gpuName) {
  MainPartKey key;
  key.kind = mainPartKind(source.stage);
  key.hardwareStage = mainHardwareStage(source);
  key.gpuName = gpuName;
  key.words = hashBytes(std::as_bytes(source.words));
  key.entryPoint = source.entryPoint;
  key.specConstants = source.specConstants;
  std::stable_sort(
      key.specConstants.begin(), key.specConstants.end(),
      [](const spirv::SpecConstant &left, const spirv::SpecConstant &right) { return left.id < right.id; });
  key.userDataNodes = source.userDataNodes;
  std::sort(
      key.userDataNodes.begin(), key.userDataNodes.end(),
      [](const lgc::UserDataNode &left, const lgc::UserDataNode &right) { return orderOf(left) < orderOf(right); });
  key.options = source.options;
  key.colorInputs = source.colorInputs;
  key.mainPartState = source.mainPartState;
  key.knowledge = source.knowledge;
  key.optimizationLevel = source.optimizationLevel;
  // Only the shader in front of the rasteriser can be asked; a geometry shader writes the number itself.
  key.exportPrimitiveId = source.exportPrimitiveId && key.hardwareStage == HardwareStage::Vs;
  return key;
}

PartKey MainPartKey::partKey() const {
  Hasher hasher;
  hasher.add(std::string_view("main part"));
  addToolchainVersion(hasher);
  hasher.add(std::string_view(gpuName)).add(words).add(std::string_view(entryPoint));
  hasher.add(specConstants.size());
  for (const spirv::SpecConstant &constant : specConstants)
    hasher.add(constant.id).add(constant.value);
  hasher.add(userDataNodes.size());
  for (const lgc::UserDataNode &node : userDataNodes) {
    hasher.add(node.type).add(node.set).add(node.binding);
    hasher.add(node.offsetInDwords).add(node.sizeInDwords).add(node.strideInDwords);
  }
  hasher.add(options.vgprLimit).add(options.sgprLimit).add(options.waveLimit).add(optimizationLevel);
  for (const lgc::ColorInputLocations &color : colorInputs)
    hasher.add(color.front).add(color.back);
  hasher.add(mainPartState.inputPlacement)
      .add(mainPartState.smoothingSamples)
      .add(mainPartState.layeredInputAttachments);
  addToHash(hasher, knowledge);
  hasher.add(exportPrimitiveId).add(hardwareStage);
  return {kind, hasher.finish()};
}

namespace {

// A pipeline of one shader, and its linked module.
struct Compile {
  std::unique_ptr<lgc::Pipeline> pipeline;
  std::unique_ptr<llvm::Module> linked;
};

Result<Compile> startCompile(const ShaderSource &source, lgc::BuilderContext &context, bool keepIr) {
  spirv::TranslateOptions translateOptions;
  translateOptions.entryPoint = source.entryPoint;
  translateOptions.stage = source.stage;
  translateOptions.specConstants = source.specConstants;
  translateOptions.layeredInputAttachments = source.mainPartState.layeredInputAttachments;
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(DOVETAIL_TRY(spirv::translate(source.words, translateOptions, context)));

  Compile compile;
  compile.pipeline = context.createPipeline();
  compile.pipeline->setShaderStageMask(lgc::stageBit(source.stage));
  lgc::Options options;
  options.link = lgc::PipelineLink::Unlinked;
  options.optimizationLevel = source.optimizationLevel;
  options.keepIr = keepIr;
  options.exportPrimitiveId = source.exportPrimitiveId && mainHardwareStage(source) == HardwareStage::Vs;
  options.vertexStage = source.vertexStage;
  options.colorInputs = source.colorInputs;
  options.mainPartState = source.mainPartState;
  options.knowledge = source.knowledge;
  compile.pipeline->setOptions(options);
  compile.pipeline->setShaderOptions(source.stage, source.options);
  compile.pipeline->setUserDataNodes(source.userDataNodes);
  compile.linked = DOVETAIL_TRY(compile.pipeline->link(std::move(modules)));
  return compile;
}

} // namespace

Result<lgc::CompiledShader> compileShader(const ShaderSource &source, lgc::BuilderContext &context,
                                          const lgc::ComposeHook &compose, bool keepIr) {
  Compile compile = DOVETAIL_TRY(startCompile(source, context, keepIr));
  return compile.pipeline->generate(std::move(compile.linked), compose);
}

Result<lgc::HardwareFormShader> lowerShader(const ShaderSource &source, lgc::BuilderContext &context,
                                            const lgc::ComposeHook &compose) {
  Compile compile = DOVETAIL_TRY(startCompile(source, context, false));
  return compile.pipeline->lower(std::move(compile.linked), compose);
}

HardwareStage codeStage(HardwareStage stage) {
  return stage == HardwareStage::Ps || stage == HardwareStage::Cs ? stage : HardwareStage::Vs;
}

Result<Part> makePart(PartKey key, std::string description, lgc::CompiledShader compiled, std::string_view gpuName) {
  HardwareStage convention = codeStage(compiled.interface.hardwareStage);
  return makePart(key, std::move(description), std::move(compiled), gpuName, convention);
}

Result<Part> makePart(PartKey key, std::string description, lgc::CompiledShader compiled, std::string_view gpuName,
                      HardwareStage convention) {
  ObjectCode object = DOVETAIL_TRY(readObject(compiled.elf, convention));
  Part part;
  part.key = key;
  part.description = std::move(description);
  part.contract.inputs = compiled.interface.inputs;
  part.contract.outputs = compiled.interface.outputs;
  auto byRegister = [](const Binding &left, const Binding &right) { return left.reg < right.reg; };
  std::sort(part.contract.inputs.begin(), part.contract.inputs.end(), byRegister);
  std::sort(part.contract.outputs.begin(), part.contract.outputs.end(), byRegister);
  part.contract.endsProgram = compiled.interface.outputs.empty();
  part.interface = std::move(compiled.interface);
  DOVETAIL_CHECK(fillPart(part, std::move(object), gpuName));
  // LLVM's register value knows only the denormal modes.
  part.usage.floatMode = part.interface->floatMode;
  return part;
}

Result<Part> makeMainPart(const ShaderSource &source, const MainPartKey &key, lgc::BuilderContext &context) {
  Result<lgc::CompiledShader> compiled = compileShader(source, context);
  if (!compiled)
    return makeError(compiled.error().code, "{}: {}", source.name, compiled.error().text);
  PartKey partKey = key.partKey();
  std::string description =
      fmt::format("{} of {} ({})", toString(partKey.kind), source.name, key.words.toHex().substr(0, 12));
  Result<Part> part = makePart(partKey, std::move(description), std::move(*compiled), key.gpuName);
  if (!part)
    return makeError(part.error().code, "{}: {}", source.name, part.error().text);
  return part;
}

} // namespace dovetail
