// SPDX-License-Identifier: MIT
//
// When the main part is a function in hardware form, what stands around it is added (compose_ir.h). The first half of a
// merged program is brought to hardware form before the second, and linked into its module.
#include "parts/kinds/monolithic.h"
#include "parts/compile/compose_ir.h"
#include "parts/kinds/hand_over.h"
#include "parts/kinds/key_bytes.h"
#include "src/abi/target_info.h"
#include "src/lgc/builder_context.h"
#include <algorithm>
#include <llvm/Linker/Linker.h>

namespace dovetail {

namespace {

using llvm::Function;
using llvm::Module;

// What a prolog or an epilog reads, the program reads, unless it is handed over within the program.
void addInputs(ShaderInterface &interface, const Contract &contract) {
  for (const Binding &input : contract.inputs)
    if (std::ranges::find(interface.inputs, input.reg, &Binding::reg) == interface.inputs.end())
      interface.inputs.push_back(input);
  std::ranges::sort(interface.inputs, {}, &Binding::reg);
}

// Adds prologs and epilogs to the main part.
Result<void> surround(lgc::HardwareFormShader &shader, const MonolithicKey &key) {
  Module &module = *shader.module;
  ShaderInterface &interface = shader.interface;
  Function *main = DOVETAIL_TRY(findHardwareEntry(module));
  if (key.prolog) {
    Function *prolog = emitVertexProlog(module, *key.prolog, "vertex_prolog");
    DOVETAIL_CHECK(composeProlog(*main, *prolog, key.prolog->sgprCount, VertexVgprCount));
    std::erase_if(interface.inputs, [](const Binding &input) { return input.value.kind == ValueKind::Attribute; });
    addInputs(interface, key.prolog->contract());
  }
  if (key.geometryProlog) {
    Function *prolog = emitGeometryProlog(module, *key.geometryProlog, "geometry_prolog");
    DOVETAIL_CHECK(composeProlog(*main, *prolog, key.geometryProlog->sgprCount, GeometryVgprCount));
    addInputs(interface, key.geometryProlog->contract());
  }
  if (key.computeProlog) {
    // Main takes all ids up to the last that was read before the last optimisation.
    ComputePrologKey whole = *key.computeProlog;
    whole.passesDepth = std::ranges::count_if(
                            main->args(), [](const llvm::Argument &argument) { return !argument.hasInRegAttr(); }) == 3;
    Function *prolog = emitComputeProlog(module, whole, "compute_prolog");
    DOVETAIL_CHECK(composeProlog(*main, *prolog, whole.sgprCount, whole.vgprCount()));
    addInputs(interface, whole.contract());
  }
  if (key.tessControlEpilog) {
    Function *epilog = emitTessControlEpilog(module, *key.tessControlEpilog, "tess_control_epilog");
    DOVETAIL_CHECK(composeEpilog(*main, *epilog));
    interface.outputs.clear();
  }
  if (key.fragmentProlog) {
    Function *prolog = emitFragmentProlog(module, *key.fragmentProlog, "fragment_prolog");
    DOVETAIL_CHECK(composeFragmentProlog(*main, *prolog, key.fragmentProlog->mainInputs));
    main = DOVETAIL_TRY(findHardwareEntry(module));
  }
  if (key.epilog) {
    Function *epilog = emitFragmentEpilog(module, *key.epilog, "fragment_epilog");
    DOVETAIL_CHECK(composeEpilog(*main, *epilog));
    interface.outputs.clear();
  }
  return {};
}

// Whether vertex i of a patch is in the lane of invocation i, and whether all lanes with vertices have an invocation.
struct PatchLanes {
  bool areSame = false, areCovered = false;

  PatchLanes(const MonolithicMergedKey &key, const ShaderInterface &second) {
    const uint32_t vertices = key.patchControlPoints;
    if (key.stage != HardwareStage::Hs || vertices == 0)
      return;
    areSame = vertices == second.tessellation.outputVertices;
    areCovered = vertices <= second.tessellation.outputVertices;
  }
};

// In front of the second half, in its module. Both interfaces are brought up to date on what goes through LDS.
Result<void> addFirstHalf(lgc::HardwareFormShader &first, lgc::HardwareFormShader &secondHalf,
                          const MonolithicMergedKey &key) {
  Module &module = *secondHalf.module;
  ShaderInterface &second = secondHalf.interface;
  constexpr const char *firstName = "first_half";
  Function *secondFunction = DOVETAIL_TRY(findHardwareEntry(module));
  Function *firstFunction = DOVETAIL_TRY(findHardwareEntry(*first.module));
  firstFunction->setName(firstName);
  if (llvm::Linker::linkModules(module, std::move(first.module)))
    return makeError(ErrorCode::Internal, "the halves of a merged program cannot be linked");
  firstFunction = module.getFunction(firstName);

  const PatchLanes lanes(key, second);
  HandOver handOver;
  HalvesOrder order;
  order.hasLsVgprInitBug = findTarget(key.first.main.gpuName)->hasLsVgprInitBug && !lanes.areCovered;
  if (lanes.areSame) {
    handOver = findHandOver(*firstFunction, *secondFunction);
    order.isLaneByLane = !handOver.usesLds();
  }
  Function *merged = DOVETAIL_TRY(composeHalves(key.stage, {firstFunction, &first.interface, &key.first.main.options},
                                                {secondFunction, &second, &key.second.main.options}, order));
  if (!lanes.areSame)
    return {};
  handOverInRegisters(*merged, handOver);
  second.inputSlots = slotsOf(handOver.inLds);
  first.interface.outputSlots = slotsOf(handOver.stored & handOver.inLds);
  if (first.interface.outputSlots == 0) // it only says where in LDS the outputs go
    std::erase_if(first.interface.inputs,
                  [](const Binding &input) { return input.value.kind == ValueKind::RelVertexId; });
  return {};
}

tl::unexpected<Error> ofShader(const MainPartKey &key, const Error &error) {
  return makeError(error.code, "{}: {}", toString(key.kind()), error.text);
}

} // namespace

std::string describe(const MonolithicKey &key, std::string_view name) {
  std::string text = describe(key.main, name);
  if (key.prolog)
    text = fmt::format("[{}] {}", key.prolog->describe(), text);
  if (key.geometryProlog)
    text = fmt::format("[{}] {}", key.geometryProlog->describe(), text);
  if (key.computeProlog)
    text = fmt::format("[{}] {}", key.computeProlog->describe(), text);
  if (key.tessControlEpilog)
    text = fmt::format("{} [{}]", text, key.tessControlEpilog->describe());
  if (key.fragmentProlog)
    text = fmt::format("[{}] {}", key.fragmentProlog->describe(), text);
  if (key.epilog)
    text = fmt::format("{} [{}]", text, key.epilog->describe());
  return text;
}

PartKey MonolithicKey::partKey() const {
  MonolithicKey key = *this;
  key.main.knowledge = {};
  return {PartKind::Monolithic, hashKey(key)};
}

PartKey MonolithicMergedKey::partKey() const {
  MonolithicMergedKey key = *this;
  key.first.main.knowledge = key.second.main.knowledge = {};
  return {PartKind::Monolithic, hashKey(key)};
}

Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const ShaderInterface &main, const PipelineState &state,
                                        const TargetInfo &target, const ShaderInterface *evaluation) {
  MonolithicKey key;
  key.main = std::move(mainKey);
  key.function = main.functionHash;
  switch (key.main.kind()) {
  case PartKind::VertexMain:
    key.prolog = DOVETAIL_TRY(makeVertexPrologKey(main, state, target.gpuName));
    if (key.prolog->attributes.empty())
      key.prolog.reset();
    break;
  case PartKind::TessControlMain:
    if (!evaluation)
      return makeError(ErrorCode::Internal, "a tessellation control shader without an evaluation shader");
    key.tessControlEpilog = DOVETAIL_TRY(makeTessControlEpilogKey(main, *evaluation, target));
    break;
  case PartKind::GeometryMain:
    key.geometryProlog = makeGeometryPrologKey(main, evaluation != nullptr, state, target.gpuName);
    break;
  case PartKind::ComputeMain:
    key.computeProlog = makeComputePrologKey(main, state, target.gpuName);
    break;
  case PartKind::FragmentMain:
    key.fragmentProlog = DOVETAIL_TRY(makeFragmentPrologKey(main, state, target.gpuName));
    key.epilog = DOVETAIL_TRY(makeFragmentEpilogKey(main, state, target.gpuName));
    break;
  default:
    break;
  }
  return key;
}

Result<Part> makeMonolithicPart(const MonolithicKey &key, lgc::HardwareFormShader main, lgc::BuilderContext &context) {
  DOVETAIL_CHECK(surround(main, key));
  Part part = DOVETAIL_TRY(makePart(DOVETAIL_TRY(context.generateCode(std::move(main))), key.main.gpuName));
  setKey(part, key);
  if (key.epilog)
    part.fragmentExports = key.epilog->exports();
  return part;
}

namespace {

// A half in hardware form, with what stands around it. Errors name its stage.
Result<lgc::HardwareFormShader> lowerHalf(const MonolithicKey &key, std::span<const uint32_t> words,
                                          lgc::BuilderContext &context) {
  Result<lgc::HardwareFormShader> half = lowerShader(key.main, words, context);
  if (!half)
    return ofShader(key.main, half.error());
  if (Result<void> surrounded = surround(*half, key); !surrounded)
    return ofShader(key.main, surrounded.error());
  return half;
}

} // namespace

Result<Part> makeMonolithicMergedPart(const MonolithicMergedKey &key, std::span<const uint32_t> firstWords,
                                      std::span<const uint32_t> secondWords, lgc::BuilderContext &context) {
  lgc::HardwareFormShader first = DOVETAIL_TRY(lowerHalf(key.first, firstWords, context));
  lgc::HardwareFormShader second = DOVETAIL_TRY(lowerHalf(key.second, secondWords, context));
  Result<void> added = addFirstHalf(first, second, key);
  if (!added)
    return ofShader(key.second.main, added.error());
  Result<lgc::CompiledShader> compiled = context.generateCode(std::move(second));
  if (!compiled)
    return ofShader(key.second.main, compiled.error());

  ShaderInterface firstInterface = std::move(first.interface);
  EntryInterface entry = mergedEntry(key.stage, firstInterface, compiled->interface);
  Part part = DOVETAIL_TRY(makePart(std::move(*compiled), key.first.main.gpuName, key.stage));
  setKey(part, key);
  part.contract.inputs = entry.inputs;
  part.firstInterface = std::move(firstInterface);
  part.entry = std::move(entry);
  return part;
}

} // namespace dovetail
