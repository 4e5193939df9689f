// SPDX-License-Identifier: MIT
#include "gfx9-merged/glue.h"
#include "gfx9-merged/register_moves.h"
#include "parts/compile/fill_part.h"
#include "parts/compile/key_bytes.h"
#include "src/abi/entry_registers.h"
#include "src/abi/get_target.h"
#include "src/isa/encoder.h"
#include <algorithm>
#include <bitset>
#include <boost/container/small_vector.hpp>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <tuple>

namespace dovetail {

namespace {

using isa::Encoder;
using isa::Opcode;

// merged_wave_info ("Vega" PAL ABI; Mesa: si_shader_llvm.c): bit fields as s_bfe_u32 takes them.
constexpr uint32_t bitField(unsigned offset, unsigned width) {
  return offset | width << 16;
}
constexpr uint32_t FirstHalfLanes = bitField(0, 8);
constexpr uint32_t SecondHalfLanes = bitField(8, 8);

constexpr unsigned SgprLimit = 102; // SGPRs with numbers
constexpr unsigned VgprLimit = 256;

unsigned limitOf(RegisterBank bank) {
  return bank == RegisterBank::Sgpr ? SgprLimit : VgprLimit;
}

bool usesScratch(std::span<const PartRef> parts) {
  return std::ranges::any_of(parts, [](const PartRef &part) { return part->usage.scratchBytes != 0; });
}

// The values that a half reads and that none of its own parts made.
std::vector<Binding> launchValues(std::span<const PartRef> parts, bool hasScratch) {
  std::vector<Binding> read;
  std::array<std::bitset<VgprLimit>, 2> made; // by bank
  for (const PartRef &part : parts) {
    for (const Binding &input : part->contract.inputs)
      if (!made[size_t(input.reg.bank)][input.reg.index] &&
          (hasScratch || input.value.kind != ValueKind::ScratchOffset))
        read.push_back(input);
    for (const Binding &output : part->contract.outputs)
      made[size_t(output.reg.bank)].set(output.reg.index);
  }
  std::ranges::sort(read, {}, [](const Binding &binding) { return std::tie(binding.reg, binding.value); });
  read.erase(std::ranges::unique(read).begin(), read.end());
  return read;
}

Result<const ShaderInterface *> mainInterface(HardwareStage stage, std::span<const PartRef> parts, const char *half) {
  for (const PartRef &part : parts) {
    if (!part)
      return makeError(ErrorCode::JoinRefused, "{} has an empty place among its parts", toString(stage));
    if (part->interface && part->interface->hardwareStage != stage)
      return makeError(ErrorCode::JoinRefused, "a part compiled for {} is the {} half of a merged program",
                       toString(part->interface->hardwareStage), half);
  }
  for (const PartRef &part : parts)
    if (part->interface)
      return &*part->interface;
  return makeError(ErrorCode::JoinRefused, "the {} half of a merged program has no main part", half);
}

uint8_t floatModeOf(std::span<const PartRef> parts) {
  for (const PartRef &part : parts)
    if (!part->usage.runsInAnyFloatMode)
      return part->usage.floatMode;
  return parts[0]->usage.floatMode;
}

// The value of the merged launch state from which a half's value is made, and how.
struct Source {
  ValueName value;
  Transform transform = Transform::Copy;
};

Source sourceOf(const ValueName &value) {
  switch (value.kind) {
  case ValueKind::GsVertexOffset:
    return {{ValueKind::GsVertexOffsetPair, uint8_t(value.index / 2)},
            value.index % 2 ? Transform::HighHalf : Transform::LowHalf};
  case ValueKind::GsWaveId:
    return {{ValueKind::MergedWaveInfo}, Transform::GsWaveId};
  case ValueKind::Es2GsOffset:
    return {{ValueKind::MergedWaveInfo}, Transform::FirstVertexOfWave};
  default:
    return {value};
  }
}

using Values = boost::container::small_vector<ValueName, 16>;

bool contains(const Values &values, const ValueName &value) {
  return std::ranges::find(values, value) != values.end();
}

// The values from which a half's values are made, and those that glue itself reads.
Values sourcesOf(std::span<const Binding> half) {
  Values sources = {{ValueKind::MergedWaveInfo}};
  for (const Binding &binding : half)
    sources.push_back(sourceOf(binding.value).value);
  return sources;
}

std::optional<Register> placeOf(std::span<const Binding> bindings, const ValueName &value) {
  auto found = std::ranges::find(bindings, value, &Binding::value);
  return found == bindings.end() ? std::nullopt : std::optional(found->reg);
}

Result<void> checkSources(const GlueLayout &layout, std::span<const Binding> half) {
  for (const Binding &binding : half)
    if (!placeOf(layout.entry.inputs, sourceOf(binding.value).value))
      return makeError(ErrorCode::JoinRefused, "{} expects {} in {}, which a merged program is not launched with",
                       toString(layout.stage), toString(binding.value), toString(binding.reg));
  return {};
}

// One past the highest register that the first half uses or is given.
unsigned firstHalfUse(const GlueLayout &layout, std::span<const PartRef> parts, RegisterBank bank) {
  unsigned count = 0;
  for (const PartRef &part : parts)
    count = std::max<unsigned>(count, bank == RegisterBank::Sgpr ? part->usage.numberedSgprs : part->usage.vgprs);
  for (const Binding &binding : layout.first)
    if (binding.reg.bank == bank)
      count = std::max(count, binding.reg.index + 1u);
  return count;
}

// Gives each value of the launch state that the second half needs a register that the first half leaves alone. The
// value stays in its own register if that is above the first half's, or gets the lowest free one.
Result<void> placeKeptValues(GlueLayout &layout, std::span<const PartRef> firstParts) {
  const Values wanted = sourcesOf(layout.second);
  for (RegisterBank bank : {RegisterBank::Sgpr, RegisterBank::Vgpr}) {
    const unsigned firstUse = firstHalfUse(layout, firstParts, bank);
    std::bitset<VgprLimit> taken;
    Values moved;
    for (const Binding &input : layout.entry.inputs) {
      if (input.reg.bank != bank || !contains(wanted, input.value))
        continue;
      if (input.reg.index < firstUse) {
        moved.push_back(input.value);
        continue;
      }
      layout.kept.push_back(input);
      taken.set(input.reg.index);
    }
    auto next = uint16_t(firstUse);
    for (const ValueName &value : moved) {
      while (next < limitOf(bank) && taken[next])
        ++next;
      if (next >= limitOf(bank))
        return makeError(ErrorCode::JoinRefused,
                         "{}: the first half uses {} {}GPRs, the second half needs {} kept for it, and there are {}",
                         toString(layout.stage), firstUse, bank == RegisterBank::Sgpr ? 'S' : 'V',
                         moved.size() + taken.count(), limitOf(bank));
      layout.kept.push_back({value, {bank, next++}});
    }
  }
  std::ranges::sort(layout.kept, {}, &Binding::reg);
  return {};
}

// The moves that make the values of `wanted` from the registers of `present`.
std::vector<Move> movesTo(std::span<const Binding> wanted, std::span<const Binding> present, RegisterBank bank) {
  std::vector<Move> moves;
  moves.reserve(wanted.size());
  for (const Binding &binding : wanted) {
    if (binding.reg.bank != bank)
      continue;
    Source source = sourceOf(binding.value);
    moves.push_back({binding.reg.index, placeOf(present, source.value)->index, source.transform});
  }
  return moves;
}

void emitMoves(Encoder &encoder, std::vector<Move> moves, RegisterBank bank) {
  for (const Move &move : inOrder(std::move(moves)))
    encodeMove(encoder, bank, move);
}

// Sets EXEC to as many lanes as VCC_LO says; VCC_LO holds the number from a field of merged_wave_info.
void emitLaneMask(Encoder &encoder) {
  encoder.emit(Opcode::SBfmB64, isa::Exec, isa::VccLo, isa::constant(0));
  // s_bfm takes the number modulo 64, so a full wave is a case of its own.
  encoder.compare(Opcode::SBitcmp1B32, isa::VccLo, isa::constant(6));
  encoder.emit(Opcode::SCmovB64, isa::Exec, isa::constant(-1));
}

void emitCount(Encoder &encoder, Register waveInfo, uint32_t field) {
  encoder.emit(Opcode::SBfeU32, isa::VccLo, isa::sgpr(waveInfo.index), isa::constant(field));
}

// Encodes the first piece. Returns the offset of the branch to the second half.
uint32_t encodeFirst(const GlueKey &key, Encoder &encoder) {
  const std::vector<Binding> &present = key.entry.inputs;
  std::vector<Binding> wanted;
  wanted.reserve(key.wanted.size() + key.kept.size());
  wanted.insert(wanted.end(), key.wanted.begin(), key.wanted.end());
  wanted.insert(wanted.end(), key.kept.begin(), key.kept.end());
  const Register waveInfo = *placeOf(present, {ValueKind::MergedWaveInfo});

  // Values of the lanes of both halves are moved.
  encoder.emit(Opcode::SMovB64, isa::Exec, isa::constant(-1));
  uint32_t skip = 0;
  if (key.hasLsVgprInitBug) {
    emitCount(encoder, waveInfo, SecondHalfLanes);
    skip = encoder.offset();
    encoder.emit(Opcode::SCbranchScc0);
  }
  emitMoves(encoder, movesTo(wanted, present, RegisterBank::Vgpr), RegisterBank::Vgpr);
  if (key.hasLsVgprInitBug)
    encoder.patch(skip, uint16_t((encoder.offset() - skip) / 4 - 1));

  emitCount(encoder, waveInfo, FirstHalfLanes);
  emitLaneMask(encoder);
  emitMoves(encoder, movesTo(wanted, present, RegisterBank::Sgpr), RegisterBank::Sgpr);
  encoder.emit(Opcode::SCbranchExecz);
  return encoder.offset() - 4;
}

void encodeSecond(const GlueKey &key, Encoder &encoder) {
  const Register waveInfo = *placeOf(key.kept, {ValueKind::MergedWaveInfo});
  encoder.emit(Opcode::SMovB64, isa::Exec, isa::constant(-1));
  // The first half's writes to LDS must be done before the wave passes the barrier.
  encoder.emit(Opcode::SWaitcnt, uint16_t(0));
  encoder.emit(Opcode::SBarrier);
  // A wave without lanes of the second half ends here. Barriers do not wait for waves that have ended.
  emitCount(encoder, waveInfo, SecondHalfLanes);
  encoder.emit(Opcode::SCbranchScc1, uint16_t(1));
  encoder.emit(Opcode::SEndpgm);
  emitMoves(encoder, movesTo(key.wanted, key.kept, RegisterBank::Vgpr), RegisterBank::Vgpr);
  emitLaneMask(encoder);
  emitMoves(encoder, movesTo(key.wanted, key.kept, RegisterBank::Sgpr), RegisterBank::Sgpr);
  if (key.setsFloatMode)
    encoder.emit(Opcode::SSetregImm32B32, isa::hwregField(isa::HwregMode, 0, 8), key.floatMode);
}

std::string listBindings(std::span<const Binding> bindings) {
  std::string text;
  text.reserve(bindings.size() * 24);
  for (const Binding &binding : bindings) {
    if (!text.empty())
      text += ", ";
    text += binding.reg.bank == RegisterBank::Sgpr ? 's' : 'v';
    char digits[8];
    text.append(digits, std::to_chars(digits, std::end(digits), binding.reg.index).ptr);
    text += ' ';
    text += toString(binding.value);
  }
  return text.empty() ? "nothing" : text;
}

// The values of `present` that a piece reads.
std::vector<Binding> inputsOf(std::span<const Binding> wanted, std::span<const Binding> present) {
  const Values sources = sourcesOf(wanted);
  std::vector<Binding> inputs;
  inputs.reserve(present.size());
  for (const Binding &binding : present)
    if (contains(sources, binding.value))
      inputs.push_back(binding);
  return inputs;
}

} // namespace

Result<GlueLayout> layOutGlue(HardwareStage stage, std::span<const PartRef> first, std::span<const PartRef> second,
                              const TargetInfo &target) {
  if (stage != HardwareStage::Hs && stage != HardwareStage::Gs)
    return makeError(ErrorCode::JoinRefused, "no shaders are merged into a {} program", toString(stage));
  const HardwareStage firstStage = stage == HardwareStage::Hs ? HardwareStage::Ls : HardwareStage::Es;
  const ShaderInterface *firstMain = DOVETAIL_TRY(mainInterface(firstStage, first, "first"));
  DOVETAIL_CHECK(mainInterface(stage, second, "second"));

  GlueLayout layout;
  layout.stage = stage;
  layout.hasLsVgprInitBug = target.hasLsVgprInitBug && stage == HardwareStage::Hs;
  layout.firstFloatMode = floatModeOf(first);
  layout.secondFloatMode = floatModeOf(second);
  const bool hasScratch = usesScratch(first) || usesScratch(second);
  ShaderInterface firstReads, secondReads;
  layout.first = firstReads.inputs = launchValues(first, hasScratch);
  layout.second = secondReads.inputs = launchValues(second, hasScratch);
  firstReads.source = firstMain->source;
  layout.entry = mergedEntry(stage, firstReads, secondReads);
  DOVETAIL_CHECK(checkSources(layout, layout.first));
  DOVETAIL_CHECK(checkSources(layout, layout.second));
  DOVETAIL_CHECK(placeKeptValues(layout, first));
  return layout;
}

GlueKey makeGlueKey(const GlueLayout &layout, GluePlace place, std::string_view gpuName) {
  GlueKey key;
  key.gpuName = gpuName;
  key.place = place;
  key.kept = layout.kept;
  if (place == GluePlace::BeforeFirstHalf) {
    key.entry = layout.entry;
    key.hasLsVgprInitBug = layout.hasLsVgprInitBug;
    key.wanted = layout.first;
  } else {
    key.wanted = layout.second;
    key.floatMode = layout.secondFloatMode;
    key.setsFloatMode = layout.firstFloatMode != layout.secondFloatMode; // RSRC1 has the first half's mode
  }
  return key;
}

PartKey GlueKey::partKey() const {
  return {PartKind::Glue, hashKey(*this)};
}

std::string GlueKey::describe() const {
  if (place == GluePlace::BeforeFirstHalf)
    return fmt::format("first half: {}; kept: {}{}", listBindings(wanted), listBindings(kept),
                       hasLsVgprInitBug ? "; LS VGPRs may begin at v0" : "");
  return fmt::format("second half: {}{}", listBindings(wanted),
                     setsFloatMode ? fmt::format("; float mode 0x{:x}", floatMode) : "");
}

Result<PartRef> makeGlue(const GlueKey &key) {
  auto start = std::chrono::steady_clock::now();
  const TargetInfo *target = DOVETAIL_TRY(getTarget(key.gpuName));
  Part part{};
  setKey(part, key);
  part.description = key.describe();
  Encoder encoder;
  ObjectCode object;
  if (key.place == GluePlace::BeforeFirstHalf) {
    uint32_t branch = encodeFirst(key, encoder);
    object.relocations.push_back({branch, RelocationKind::Branch16, RelocationTarget::SecondHalf, 0});
    part.contract.outputs = key.wanted;
    part.contract.outputs.insert(part.contract.outputs.end(), key.kept.begin(), key.kept.end());
    std::ranges::sort(part.contract.outputs, {}, &Binding::reg);
    part.contract.inputs = inputsOf(part.contract.outputs, key.entry.inputs);
    part.entry = key.entry;
  } else {
    encodeSecond(key, encoder);
    part.contract.inputs = inputsOf(key.wanted, key.kept);
    part.contract.outputs = key.wanted;
  }
  object.usage.runsInAnyFloatMode = key.place == GluePlace::BeforeFirstHalf;
  object.usage.floatMode = key.floatMode; // the mode in which the second piece leaves the wave
  DOVETAIL_CHECK(fillPart(part, std::move(object), encoder, *target));
  part.buildMicroseconds = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return std::make_shared<const Part>(std::move(part));
}

Result<MergedParts> mergeHalves(HardwareStage stage, std::span<const PartRef> first, std::span<const PartRef> second,
                                const TargetInfo &target, PartCache &cache) {
  const GlueLayout layout = DOVETAIL_TRY(layOutGlue(stage, first, second, target));
  MergedParts merged;
  merged.stage = stage;
  auto addGlue = [&](GluePlace place) -> Result<void> {
    const GlueKey key = makeGlueKey(layout, place, target.gpuName);
    PartLookup glue = DOVETAIL_TRY(cache.getOrMake(key.partKey(), [&] { return makeGlue(key); }));
    merged.parts.push_back(glue.part);
    merged.madeGlue[size_t(place)] = glue.made;
    return {};
  };
  if (first.size() + second.size() + 2 > MaxPartsPerStage)
    return makeError(ErrorCode::JoinRefused, "{} parts in a merged program; there is room for {}",
                     first.size() + second.size() + 2, MaxPartsPerStage);
  DOVETAIL_CHECK(addGlue(GluePlace::BeforeFirstHalf));
  merged.parts.insert(merged.parts.end(), first.begin(), first.end());
  DOVETAIL_CHECK(addGlue(GluePlace::BetweenHalves));
  merged.parts.insert(merged.parts.end(), second.begin(), second.end());
  return merged;
}

} // namespace dovetail
