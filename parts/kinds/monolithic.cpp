// SPDX-License-Identifier: MIT
//
// Prologs and epilogs are added when the main part is a function in hardware form (compose_ir.h). The first half of a
// merged program is brought to hardware form before the second, and linked into the second half's module.
#include "parts/kinds/monolithic.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/hand_over.h"
#include "src/lgc/builder_context.h"
#include <llvm/Linker/Linker.h>

namespace dovetail {

namespace {

using llvm::Function;
using llvm::Module;

// Adds prologs and epilogs to the main part.
Result<void> surround(lgc::HardwareFormShader &shader, const MonolithicKey &key) {
  return forEachKeyFromMain(key.around, [&](const auto &part) { return composeAround(shader, part); });
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

// Puts the first half in front of the second, in the second's module. Updates both interfaces to the outputs that go
// through LDS.
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
  if (first.interface.outputSlots == 0) // only the outputs' places in LDS depend on it
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
  (void)forEachKeyFromMain(key.around, [&](const auto &part) -> Result<void> {
    text = roleOf(part.Kind) == PartRole::Prolog ? fmt::format("[{}] {}", part.describe(), text)
                                                 : fmt::format("{} [{}]", text, part.describe());
    return {};
  });
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

Result<SurroundingKeys> makeSurroundingKeys(PartKind main, const Surroundings &around) {
  SurroundingKeys keys;
#define PART_AROUND(kind, symbol, cName, words, role, itsMain, ...)                                                    \
  if (main == PartKind::itsMain)                                                                                       \
    keys.of<kind##Key>() = DOVETAIL_TRY(kind##Key::make(around));
#include "parts/part_kinds.def"
  return keys;
}

Result<MonolithicKey> makeMonolithicKey(MainPartKey mainKey, const Surroundings &around) {
  MonolithicKey key;
  key.around = DOVETAIL_TRY(makeSurroundingKeys(mainKey.kind(), around));
  key.main = std::move(mainKey);
  key.function = around.main.functionHash;
  return key;
}

Result<Part> makeMonolithicPart(const MonolithicKey &key, lgc::HardwareFormShader main, lgc::BuilderContext &context) {
  DOVETAIL_CHECK(surround(main, key));
  Part part = DOVETAIL_TRY(makePart(DOVETAIL_TRY(context.generateCode(std::move(main))), key.main.gpuName));
  setKey(part, key);
  if (const std::optional<FragmentEpilogKey> &epilog = key.around.of<FragmentEpilogKey>())
    part.fragmentExports = epilog->exports();
  return part;
}

namespace {

// Makes a half in hardware form, with its prologs and epilogs. Errors name its stage.
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
