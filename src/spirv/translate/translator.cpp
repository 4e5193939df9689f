// SPDX-License-Identifier: MIT
//
// The driver: entry point, module checks, globals, function bodies, outputs; and the services that all instruction
// files use.
#include "src/spirv/translate/translator.h"
#include "src/base/compile_phases.h"
#include "src/lgc/builder_context.h"
#include "src/spirv/module/names.h"
#include "src/spirv/module/newer_instructions.h"
#include "src/spirv/module/specialize.h"
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/validate/capabilities.h"

namespace dovetail::spirv {

namespace {

std::optional<spv::ExecutionModel> executionModelOf(lgc::ShaderStage stage) {
  switch (stage) {
  case lgc::ShaderStage::Vertex:
    return spv::ExecutionModel::Vertex;
  case lgc::ShaderStage::TessControl:
    return spv::ExecutionModel::TessellationControl;
  case lgc::ShaderStage::TessEval:
    return spv::ExecutionModel::TessellationEvaluation;
  case lgc::ShaderStage::Geometry:
    return spv::ExecutionModel::Geometry;
  case lgc::ShaderStage::Fragment:
    return spv::ExecutionModel::Fragment;
  case lgc::ShaderStage::Compute:
    return spv::ExecutionModel::GLCompute;
  default:
    return std::nullopt;
  }
}

} // namespace

Result<std::unique_ptr<llvm::Module>> translate(std::span<const uint32_t> words, const TranslateOptions &options,
                                                lgc::BuilderContext &context) {
  const PhaseScope phase(CompilePhase::Translate);
  std::vector<uint32_t> specialized;
  if (!options.specConstants.empty())
    words = specialized = DOVETAIL_TRY(specialize(words, options.specConstants));
  Module module = DOVETAIL_TRY(readModule(words, options.environment));
  std::unique_ptr<llvm::Module> target = context.createModule(options.entryPoint);
  std::unique_ptr<lgc::Builder> builder = context.createBuilder();
  const SourcePlaces places = options.sourceLines ? SourcePlaces(words) : SourcePlaces();
  DOVETAIL_CHECK(Translator(module, places, options, *builder, *target).run());
  builder->shaderModes().record(*target);

  return target;
}

Translator::Translator(const Module &module, const SourcePlaces &places, const TranslateOptions &options,
                       lgc::Builder &builder, llvm::Module &target)
    : m_module(module), m_declarations(module), m_places(places), m_options(options), m_builder(builder),
      m_target(target), m_context(target.getContext()) {
  m_useCounts.resize(module.idBound);
  for (const Instruction &inst : module.globals) {
    if (inst.result && inst.resultType)
      m_resultTypes[inst.result] = inst.resultType;
  }
  for (const Function &function : module.functions) {
    for (const Instruction &inst : function.parameters)
      m_resultTypes[inst.result] = inst.resultType;
    for (const Block &block : function.blocks) {
      for (const Instruction &inst : block.instructions) {
        if (inst.result && inst.resultType)
          m_resultTypes[inst.result] = inst.resultType;
        for (uint32_t id : valueOperands(inst))
          if (id < m_useCounts.size())
            ++m_useCounts[id];
      }
    }
  }
}

Result<void> Translator::run() {
  m_entryPoint = findEntryPoint();
  if (!m_entryPoint)
    return makeError(ErrorCode::InvalidInput, "the module has no entry point \"{}\" of the wanted stage",
                     m_options.entryPoint);
  DOVETAIL_CHECK(checkModule(m_module));
  m_usedVariables = m_module.usedIds(*m_entryPoint);

  m_main = llvm::Function::Create(llvm::FunctionType::get(m_builder.getVoidTy(), false),
                                  llvm::GlobalValue::ExternalLinkage, "main", m_target);
  if (!m_places.isEmpty())
    m_sourceLines.emplace(m_places, *m_main);
  m_entryBlock = llvm::BasicBlock::Create(m_context, "entry", m_main);
  m_exitBlock = llvm::BasicBlock::Create(m_context, "exit", m_main);
  m_builder.SetInsertPoint(m_entryBlock);
  DOVETAIL_CHECK(translateGlobals());
  DOVETAIL_CHECK(translateExecutionModes());
  zeroSharedMemory();
  if (m_hasInitializedSharedOutput)
    m_builder.CreateBarrier(); // no invocation may store before the others' initializers

  // Beyond this point, every global id is bound; globals' instructions (initialisers) are in the entry block.
  DOVETAIL_CHECK(checkInlinedSize(m_entryPoint->function));
  Scope scope;
  IdValue nothing;
  DOVETAIL_CHECK(
      translateFunctionBody(m_module.functions[m_module.functionIndex.at(m_entryPoint->function)], scope, nothing));
  m_builder.CreateBr(m_exitBlock);

  // Beyond this point, the outputs that the shader stores to are known.
  if (m_sourceLines)
    m_builder.SetCurrentDebugLocation(m_sourceLines->nowhere());
  m_exitBlock->moveAfter(&m_main->back());
  for (const Emission &emission : m_emissions) {
    m_builder.SetInsertPoint(emission.block->getTerminator());
    DOVETAIL_CHECK(writeOutputs(emission.stream));
  }
  m_builder.SetInsertPoint(m_exitBlock);
  if (m_options.stage != lgc::ShaderStage::Geometry)
    DOVETAIL_CHECK(writeOutputs(0));
  DOVETAIL_CHECK(captureOutputs());
  m_builder.CreateRetVoid();
  if (m_sourceLines)
    m_sourceLines->finish();
  return {};
}

const EntryPoint *Translator::findEntryPoint() const {
  std::optional<spv::ExecutionModel> model = executionModelOf(m_options.stage);
  for (const EntryPoint &entry : m_module.entryPoints) {
    if (model && entry.model == *model && entry.name == m_options.entryPoint)
      return &entry;
  }
  return nullptr;
}

Result<void> Translator::translateGlobals() {
  // A structure may hold pointers to itself, which are declared after it. A pointer needs no facts about its pointee,
  // so pointers come first.
  for (const Instruction &inst : m_module.globals) {
    if (inst.opcode == spv::Op::OpTypePointer)
      DOVETAIL_CHECK(translateType(inst));
  }
  for (const Instruction &inst : m_module.globals) {
    if (inst.opcode != spv::Op::OpTypePointer && inst.opcode != spv::Op::OpVariable)
      DOVETAIL_CHECK(translateGlobal(inst));
  }
  // Beyond this point, all types are known. Blocks in shared memory take as much memory as the largest of them.
  for (const Instruction &inst : m_module.globals) {
    if (inst.opcode == spv::Op::OpVariable)
      DOVETAIL_CHECK(translateGlobalVariable(inst));
  }
  return {};
}

Result<void> Translator::translateGlobal(const Instruction &inst) {
  if (inst.opcode == spv::Op::OpExtInst) // non-semantic information
    return {};
  if (inst.result && !inst.resultType)
    return translateType(inst);
  return translateConstant(inst);
}

// The validator does not compare operand and result types of every instruction. If a result had another type than the
// module says, LLVM would stop where it is used.
Result<void> Translator::checkResult(const Instruction &inst) const {
  if (inst.result == 0 || inst.resultType == 0)
    return {};
  const IdValue *bound = find(inst.result);
  llvm::Type *declared = resultType(inst).value;
  if (bound && bound->value && declared && bound->value->getType() != declared)
    return makeError(ErrorCode::InvalidInput, "{} at word {}: its operands do not give its result type",
                     nameOf(inst.opcode), inst.wordOffset);
  return {};
}

void Translator::setSourcePlace(const Instruction &inst) {
  if (m_sourceLines)
    m_builder.SetCurrentDebugLocation(m_sourceLines->at(inst.wordOffset));
}

Result<void> Translator::translateInstruction(const Instruction &inst) {
  DOVETAIL_CHECK(dispatch(inst));
  return checkResult(inst);
}

Result<void> Translator::dispatch(const Instruction &inst) {
  setFastMath(inst);
  switch (inst.opcode) {
#define SPIRV_IGNORED(opcode)                                                                                          \
  case spv::Op::opcode:                                                                                                \
    return {};
#define SPIRV_HANDLER(opcode, method)                                                                                  \
  case spv::Op::opcode:                                                                                                \
    return method(inst);
#include "src/spirv/translate/handlers.def"
#undef SPIRV_HANDLER
#undef SPIRV_IGNORED
  default:
    if (inst.opcode == OpQuadAll || inst.opcode == OpQuadAny)
      return translateQuadVote(inst);
    return unsupported(inst);
  }
}

tl::unexpected<Error> Translator::unsupported(const Instruction &inst, std::string_view reason) const {
  return makeError(ErrorCode::Unsupported, "{} at word {}: {}", nameOf(inst.opcode), inst.wordOffset, reason);
}

tl::unexpected<Error> Translator::unsupported(const Instruction &inst) const {
  std::string capability = capabilityOf(inst.opcode);
  if (capability.empty())
    return makeError(ErrorCode::Unsupported, "{} at word {} is not supported", nameOf(inst.opcode), inst.wordOffset);
  return makeError(ErrorCode::Unsupported, "{} at word {} (capability {}) is not supported", nameOf(inst.opcode),
                   inst.wordOffset, capability);
}

uint32_t Translator::typeIdOf(uint32_t id) const {
  auto found = m_resultTypes.find(id);
  return found == m_resultTypes.end() ? 0 : found->second;
}

const IdValue *Translator::find(uint32_t id) const {
  if (m_scope) {
    if (auto found = m_scope->values.find(id); found != m_scope->values.end())
      return &found->second;
  }
  auto found = m_globals.find(id);
  return found == m_globals.end() ? nullptr : &found->second;
}

void Translator::bind(uint32_t id, IdValue value) {
  if (m_scope)
    m_scope->values[id] = std::move(value);
  else
    m_globals[id] = std::move(value);
}

Result<llvm::Value *> Translator::value(const Instruction &inst, uint32_t id) {
  const IdValue *bound = find(id);
  if (bound && bound->value)
    return bound->value;
  if (bound && bound->pointer)
    return pointerToValue(inst, *bound->pointer);
  if (bound && bound->composite) {
    const std::shared_ptr<const Pointer> memory = bound->composite;
    return load(inst, *memory);
  }
  return unsupported(inst, fmt::format("operand %{} has no value here", id));
}

Result<Pointer> Translator::pointer(const Instruction &inst, uint32_t id) {
  const IdValue *bound = find(id);
  if (bound && bound->pointer)
    return *bound->pointer;
  if (bound && bound->value) {
    Pointer pointer = DOVETAIL_TRY(pointerFromValue(inst, bound->value, typeIdOf(id)));
    pointer.flags |= pointerFlags(id);
    return pointer;
  }
  return unsupported(inst, fmt::format("operand %{} is not a pointer that is known here", id));
}

Result<ImageValue> Translator::image(const Instruction &inst, uint32_t id) {
  const IdValue *bound = find(id);
  if (bound && bound->image)
    return *bound->image;
  return unsupported(inst, fmt::format("operand %{} is not an image or sampler that is known here", id));
}

void Translator::setValue(const Instruction &inst, Value *value) {
  if (auto name = m_module.names.find(inst.result);
      name != m_module.names.end() && llvm::isa<llvm::Instruction>(value) && !value->hasName())
    value->setName(name->second);
  bind(inst.result, {value, nullptr, nullptr});
}

void Translator::setPointer(const Instruction &inst, Pointer pointer) {
  bind(inst.result, {nullptr, std::make_shared<const Pointer>(std::move(pointer)), nullptr});
}

void Translator::setImage(const Instruction &inst, ImageValue image) {
  bind(inst.result, {nullptr, nullptr, std::make_shared<const ImageValue>(image)});
}

bool Translator::hasDecoration(uint32_t id, spv::Decoration decoration) const {
  return findDecoration(m_module.decorations(id), decoration) != nullptr;
}

std::optional<uint32_t> Translator::decorationOperand(uint32_t id, spv::Decoration decoration) const {
  const DecorationInstance *found = findDecoration(m_module.decorations(id), decoration);
  return found && !found->operands.empty() ? std::optional(found->operands[0]) : std::nullopt;
}

// Vulkan lets an implementation fuse a multiplication and an addition and ignore the sign of zero, unless the shader
// forbids it. Infinities and NaNs are kept.
void Translator::setFastMath(const Instruction &inst) {
  llvm::FastMathFlags flags;
  bool noContraction = inst.result && hasDecoration(inst.result, spv::Decoration::NoContraction);
  flags.setAllowContract(!noContraction && !m_hasInvariantOutput);
  flags.setNoSignedZeros(!m_preserveSignedZero && !noContraction);
  m_builder.setFastMathFlags(flags);
}

} // namespace dovetail::spirv
