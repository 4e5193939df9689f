// SPDX-License-Identifier: MIT
#include "parts/kinds/main_part.h"
#include "parts/compile/compiler_pool.h"
#include "parts/compile/fill_part.h"
#include "parts/compile/key_bytes.h"
#include "parts/elf/object_reader.h"
#include "parts/kinds/pass_through_control.h"
#include "src/lgc/builder/direct_builder.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/ir_file.h"
#include "src/spirv/translate/translate.h"
#include <algorithm>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

namespace dovetail {

namespace {

struct StageRow {
  PartKind kind;
  HardwareStage hardwareStage; // Vs: also Ls or Es
};

// Indexed by lgc::ShaderStage.
constexpr StageRow Stages[] = {
    {PartKind::VertexMain, HardwareStage::Vs},   {PartKind::TessControlMain, HardwareStage::Hs},
    {PartKind::TessEvalMain, HardwareStage::Vs}, {PartKind::GeometryMain, HardwareStage::Gs},
    {PartKind::FragmentMain, HardwareStage::Ps}, {PartKind::ComputeMain, HardwareStage::Cs},
};
static_assert(std::size(Stages) == lgc::ShaderStageCount);

// The hash of the key of LLVM's main part without knowledge. It is the hash of the shader's function, too.
Hash128 shaderHash(MainPartKey key) {
  key.tier = CodeTier::Llvm;
  key.knowledge = {};
  return key.partKey().hash;
}

} // namespace

PartKind mainPartKind(lgc::ShaderStage stage) {
  return Stages[size_t(stage)].kind;
}

HardwareStage mainHardwareStage(lgc::ShaderStage stage) {
  return Stages[size_t(stage)].hardwareStage;
}

PartKey MainPartKey::partKey() const {
  return {kind(), hashKey(*this)};
}

void canonicalize(MainPartKey &key) {
  std::ranges::stable_sort(key.specConstants, {}, &spirv::SpecConstant::id);
  std::ranges::sort(key.resourceForms);
}

std::string describe(const MainPartKey &key, std::string_view name) {
  return fmt::format("{} of {} ({}){}", toString(key.kind()), name, key.words.toHex().substr(0, 12),
                     key.tier == CodeTier::FirstCode ? ", first code" : "");
}

namespace {

// A shader's words are SPIR-V, bitcode or a pass-through control shader.
bool isBitcode(std::span<const uint32_t> words) {
  constexpr uint32_t bitcodeMagic = 0xdec04342; // "BC", 0xc0de
  return !words.empty() && words.front() == bitcodeMagic;
}

// Makes IR with the Builder of words that are no bitcode.
Result<std::unique_ptr<llvm::Module>> build(const MainPartKey &key, std::span<const uint32_t> words,
                                            lgc::BuilderContext &context, const Inspection &inspection,
                                            lgc::Builder &builder) {
  if (isPassedThrough(words))
    return makePassThroughControl(words, key.mainPartState.passThroughVertices, context, builder);
  spirv::TranslateOptions options;
  options.entryPoint = key.entryPoint;
  options.stage = key.stage;
  options.environment = key.environment;
  options.specConstants = key.specConstants;
  options.layeredInputAttachments = key.mainPartState.layeredInputAttachments;
  options.sourceLines = inspection.sourceLines;
  return spirv::translate(words, options, context, builder);
}

// The shader in its recorded form.
Result<std::unique_ptr<llvm::Module>> readOrRecord(const MainPartKey &key, std::span<const uint32_t> words,
                                                   lgc::BuilderContext &context, const Inspection &inspection) {
  if (isBitcode(words)) {
    const std::string_view bytes(reinterpret_cast<const char *>(words.data()), words.size_bytes());
    return std::move(DOVETAIL_TRY(lgc::readIr(context, bytes, "the shader")).front());
  }
  std::unique_ptr<lgc::Builder> builder = context.createBuilder();
  std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(build(key, words, context, inspection, *builder));
  builder->shaderModes().record(*module);
  return module;
}

// A pipeline with the state that the key says.
Result<std::unique_ptr<lgc::Pipeline>> makePipeline(const MainPartKey &key, std::span<const uint32_t> words,
                                                    lgc::BuilderContext &context, const Inspection &inspection) {
  DOVETAIL_CHECK(checkCompiler(context, key.gpuName));
  if (hashBytes(std::as_bytes(words)) != key.words)
    return makeError(ErrorCode::Internal, "the SPIR-V is not the one that the key stands for");
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  pipeline->setShaderStageMask(lgc::stageBit(key.stage));
  lgc::Options options;
  options.optimizationLevel = key.tier == CodeTier::FirstCode ? lgc::FirstCodeLevel : key.optimizationLevel;
  options.keepIr = inspection.keepIr;
  options.exportPrimitiveId = key.exportPrimitiveId;
  if (mainHardwareStage(key.stage) == HardwareStage::Vs)
    options.vertexStage = key.hardwareStage;
  options.colorInputs = key.colorInputs;
  options.mainPartState = key.mainPartState;
  pipeline->setOptions(options);
  pipeline->setKnowledge(key.knowledge);
  pipeline->setShaderHash(shaderHash(key));
  pipeline->setShaderOptions(key.stage, key.options);
  pipeline->setDeviceIndex(key.deviceIndex);
  pipeline->setResourceForms(key.resourceForms);
  return pipeline;
}

Result<std::unique_ptr<llvm::Module>> record(lgc::Pipeline &pipeline, const MainPartKey &key,
                                             std::span<const uint32_t> words, lgc::BuilderContext &context,
                                             const Inspection &inspection) {
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(DOVETAIL_TRY(readOrRecord(key, words, context, inspection)));
  return pipeline.irLink(std::move(modules));
}

} // namespace

Result<std::unique_ptr<llvm::Module>> linkShader(const MainPartKey &key, std::span<const uint32_t> words,
                                                 lgc::BuilderContext &context, const Inspection &inspection) {
  const std::unique_ptr<lgc::Pipeline> pipeline = DOVETAIL_TRY(makePipeline(key, words, context, inspection));
  return record(*pipeline, key, words, context, inspection);
}

namespace {

struct Built {
  const llvm::Module &module;
  const lgc::ShaderModes &modes;
};

// `onBuilt`: called with a shader that is compiled without its recorded form; may set options.
Result<lgc::HardwareFormShader> lower(const MainPartKey &key, std::span<const uint32_t> words,
                                      lgc::BuilderContext &context, const Inspection &inspection,
                                      llvm::function_ref<void(const Built &, lgc::Pipeline &)> onBuilt) {
  const std::unique_ptr<lgc::Pipeline> pipeline = DOVETAIL_TRY(makePipeline(key, words, context, inspection));
  std::unique_ptr<lgc::DirectBuilder> builder;
  if (!isBitcode(words))
    builder = DOVETAIL_TRY(pipeline->beginShader(key.stage));
  if (!builder)
    return pipeline->lower(DOVETAIL_TRY(record(*pipeline, key, words, context, inspection)));
  std::unique_ptr<llvm::Module> module = DOVETAIL_TRY(build(key, words, context, inspection, *builder));
  onBuilt({*module, builder->shaderModes()}, *pipeline);
  return pipeline->lower(std::move(module), std::move(builder));
}

} // namespace

Result<lgc::HardwareFormShader> lowerShader(const MainPartKey &key, std::span<const uint32_t> words,
                                            lgc::BuilderContext &context, const Inspection &inspection) {
  return lower(key, words, context, inspection, [](const Built &, lgc::Pipeline &) {});
}

// What first code refuses whatever the middle-end makes of it is known as soon as a shader is translated; so the shader
// is not lowered in vain. Empty: there is nothing of that kind. Names it as first code does.
static std::string findEarlyRefusal(const llvm::Module &module, const lgc::CommonShaderMode &modes,
                                    const lgc::ShaderOptions &options) {
  const lgc::FpDenormMode chosen = options.fp32DenormMode;
  if ((chosen == lgc::FpDenormMode::DontCare ? modes.fp32DenormMode : chosen) == lgc::FpDenormMode::FlushNone)
    return "denormals of f32";
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() || function.use_empty())
      continue;
    switch (function.getIntrinsicID()) {
    case llvm::Intrinsic::amdgcn_s_memtime:
    case llvm::Intrinsic::amdgcn_s_memrealtime:
    case llvm::Intrinsic::amdgcn_s_setreg: // ordered fragments
      return function.getName().str();
    default:
      break;
    }
  }
  return {};
}

Result<MainForFirstCode> lowerForFirstCode(const MainPartKey &key, std::span<const uint32_t> words,
                                           lgc::BuilderContext &context) {
  MainForFirstCode lowered;
  lowered.shader = DOVETAIL_TRY(lower(key, words, context, {}, [&](const Built &built, lgc::Pipeline &pipeline) {
    lowered.refusal = findEarlyRefusal(built.module, built.modes.common, key.options);
    if (!lowered.refusal.empty())
      pipeline.setOptimizationLevel(key.optimizationLevel);
  }));
  return lowered;
}

Result<lgc::CompiledShader> compileShader(const MainPartKey &key, std::span<const uint32_t> words,
                                          lgc::BuilderContext &context, const Inspection &inspection) {
  return context.generateCode(DOVETAIL_TRY(lowerShader(key, words, context, inspection)));
}

HardwareStage codeStage(HardwareStage stage) {
  return stage == HardwareStage::Ps || stage == HardwareStage::Cs ? stage : HardwareStage::Vs;
}

Result<Part> makePart(lgc::CompiledShader compiled, std::string_view gpuName) {
  HardwareStage convention = codeStage(compiled.interface.hardwareStage);
  return makePart(std::move(compiled), gpuName, convention);
}

Part makePartWithoutCode(ShaderInterface interface) {
  Part part{};
  part.contract.inputs = interface.inputs;
  part.contract.outputs = interface.outputs;
  auto byRegister = [](const Binding &left, const Binding &right) { return left.reg < right.reg; };
  std::sort(part.contract.inputs.begin(), part.contract.inputs.end(), byRegister);
  std::sort(part.contract.outputs.begin(), part.contract.outputs.end(), byRegister);
  part.contract.endsProgram = interface.outputs.empty();
  part.interface = std::move(interface);
  return part;
}

Result<Part> makePart(lgc::CompiledShader compiled, std::string_view gpuName, HardwareStage convention) {
  ObjectCode object = DOVETAIL_TRY(readObject(compiled.elf, convention));
  Part part = makePartWithoutCode(std::move(compiled.interface));
  DOVETAIL_CHECK(fillPart(part, std::move(object), std::move(compiled.instructions), gpuName));
  part.usage.spilledSgprs = compiled.spills.sgprs;
  part.usage.spilledVgprs = compiled.spills.vgprs;
  // LLVM's register value has only the denormal modes.
  part.usage.floatMode = part.interface->floatMode;
  return part;
}

Result<Part> makeMainPart(const MainPartKey &key, std::span<const uint32_t> words, lgc::BuilderContext &context) {
  return makeMainPart(key, DOVETAIL_TRY(lowerShader(key, words, context)), context);
}

Result<Part> makeMainPart(const MainPartKey &key, lgc::HardwareFormShader shader, lgc::BuilderContext &context) {
  if (!key.isJoinable())
    return makeMainPartWithoutCode(key, shader);
  Part part = DOVETAIL_TRY(makePart(DOVETAIL_TRY(context.generateCode(std::move(shader))), key.gpuName));
  setKey(part, key);
  return part;
}

// The part has no contract either, so a join refuses it.
Part makeMainPartWithoutCode(const MainPartKey &key, const lgc::HardwareFormShader &shader) {
  Part part{};
  part.interface = shader.interface;
  setKey(part, key);
  return part;
}

} // namespace dovetail
