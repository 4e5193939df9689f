// SPDX-License-Identifier: MIT
//
// Proves that each part finds its inputs in the registers where it expects them. This file walks each hardware shader
// from its entry to its end, with a table of the value that every register holds. The table starts with the values that
// the driver and the hardware put there. Each part checks its inputs against it, keeps the registers that its contract
// preserves, and adds its outputs. All other registers are forgotten.
#include "merge/steps.h"
#include "src/abi/entry_registers.h"
#include <algorithm>
#include <array>
#include <bit>
#include <boost/container/small_vector.hpp>
#include <cstring>
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr unsigned SgprCount = 112;
constexpr unsigned VgprCount = 256;

// A ValueName as a number; 0 means that no value is known to be in the register.
constexpr uint32_t encode(const ValueName &value) {
  return (1u << 24) | (uint32_t(value.kind) << 16) | (uint32_t(value.index) << 8) | value.component;
}

ValueName decode(uint32_t code) {
  return {ValueKind((code >> 16) & 0xff), uint8_t(code >> 8), uint8_t(code)};
}

class LiveValues {
public:
  void set(Register reg, const ValueName &value) {
    if (const unsigned place = placeOf(reg); place < Count)
      m_values[place] = encode(value);
  }
  uint32_t at(Register reg) const {
    const unsigned place = placeOf(reg);
    return place < Count ? m_values[place] : 0;
  }
  // Forgets the values in registers [first, end).
  void forgetSgprs(unsigned first, unsigned end) { forget(first, std::min(end, SgprCount)); }
  void forgetVgprs(unsigned first, unsigned end) { forget(SgprCount + first, SgprCount + std::min(end, VgprCount)); }
  // The register that holds a value, for messages.
  std::string findPlace(const ValueName &value) const {
    const auto found = std::ranges::find(m_values, encode(value));
    if (found == m_values.end())
      return {};
    const auto place = unsigned(found - m_values.begin());
    return toString(place < SgprCount ? Register{RegisterBank::Sgpr, uint16_t(place)}
                                      : Register{RegisterBank::Vgpr, uint16_t(place - SgprCount)});
  }

private:
  static constexpr unsigned Count = SgprCount + VgprCount;

  // Returns an index beyond the table if the register is not followed.
  static unsigned placeOf(Register reg) {
    if (reg.bank == RegisterBank::Vgpr)
      return SgprCount + reg.index;
    return reg.index < SgprCount ? reg.index : Count;
  }
  void forget(unsigned first, unsigned end) {
    if (first < end)
      std::memset(&m_values[first], 0, (end - first) * sizeof(m_values[0]));
  }

  std::array<uint32_t, Count> m_values = {};
};

void enterVgprs(const ImageStage &stage, LiveValues &live) {
  if (stage.stage != HardwareStage::Ps) {
    // The places of these VGPRs are fixed, so they are all entered. usage.cpp decides from the parts' reads which of
    // them the hardware loads.
    std::span<const ValueName> entry = entryVgprs(stage.stage, stage.interface->source);
    for (uint16_t i = 0; i < entry.size(); ++i)
      live.set({RegisterBank::Vgpr, i}, entry[i]);
    return;
  }
  uint16_t place = 0;
  for (uint32_t bits = stage.usage.psInputAddr; bits != 0; bits &= bits - 1) {
    const auto bit = unsigned(std::countr_zero(bits));
    const PsInput &input = psInputs()[bit];
    if (stage.usage.psInputEna & (1u << bit))
      for (uint8_t component = 0; component < input.count; ++component)
        live.set({RegisterBank::Vgpr, uint16_t(place + component)}, {input.kind, 0, component});
    place += input.count;
  }
}

// The system values that a main part lists.
using SystemValues = boost::container::small_vector<ValueName, 16>;

// Whether a system SGPR (a row of systemSgprs()) takes a place. A main part lists the ones that its register values
// enable.
bool isEnabled(const ImageStage &stage, const SystemValues &listed, const ValueName &value) {
  const bool isAlwaysThere = stage.stage != HardwareStage::Vs && stage.stage != HardwareStage::Cs &&
                             value.kind != ValueKind::ScratchOffset && value.kind != ValueKind::CollisionWaveId;
  return isAlwaysThere || std::ranges::find(listed, value) != listed.end();
}

// User data is where the main part's interface says, because the driver is told the same. System values follow in the
// hardware's order, so an interface that has them elsewhere is wrong.
Result<void> enterSgprs(const ImageStage &stage, LiveValues &live) {
  const ShaderInterface &interface = *stage.interface;
  SystemValues listed;
  for (const Binding &input : interface.inputs) {
    if (isSystemSgpr(input.value.kind))
      listed.push_back(input.value);
    if (isUserData(input.value.kind)) {
      if (input.reg.bank != RegisterBank::Sgpr || input.reg.index >= interface.userSgprCount)
        return makeError(ErrorCode::JoinRefused, "{}: {} is expected in {}, outside the {} user SGPRs",
                         toString(stage.stage), toString(input.value), toString(input.reg), interface.userSgprCount);
      live.set(input.reg, input.value);
    }
  }
  auto next = uint16_t(interface.userSgprCount);
  for (const ValueName &value : systemSgprs(stage.stage, interface.source)) {
    if (!isEnabled(stage, listed, value))
      continue;
    if (value.kind != ValueKind::UserDataPadding)
      live.set({RegisterBank::Sgpr, next}, value);
    ++next;
  }
  return {};
}

// `first`: the first part of the program that is not glue. `floatMode`: the mode in which the part is going to run.
Result<void> checkModes(const Part &first, const Part &part, uint8_t floatMode) {
  const Usage &a = first.usage;
  const Usage &b = part.usage;
  if (!b.runsInAnyFloatMode && b.floatMode != floatMode)
    return makeError(ErrorCode::JoinRefused, "the program has float mode 0x{:x}, {} has 0x{:x}", floatMode,
                     describePart(part), b.floatMode);
  if (part.key.kind == PartKind::Glue) // glue computes nothing
    return {};
  if (a.waveSize != b.waveSize)
    return makeError(ErrorCode::JoinRefused, "{} has {} lanes in a wave, {} has {}", describePart(first), a.waveSize,
                     describePart(part), b.waveSize);
  if (a.ieeeMode != b.ieeeMode || a.dx10Clamp != b.dx10Clamp)
    return makeError(ErrorCode::JoinRefused, "{} and {} differ in IEEE or DX10 clamp mode", describePart(first),
                     describePart(part));
  return {};
}

// A main part always lists the scratch offset, because it takes a place; without scratch, nobody reads it.
bool isNeverRead(const ImageStage &stage, const Binding &input) {
  return input.value.kind == ValueKind::ScratchOffset && stage.usage.scratchBytes == 0;
}

tl::unexpected<Error> refuse(const ImageStage &stage, const Part *before, const Part &part, const Binding &input,
                             const LiveValues &live) {
  std::string from = before ? describePart(*before) : fmt::format("the entry of {}", toString(stage.stage));
  std::string found;
  if (uint32_t other = live.at(input.reg))
    found = fmt::format("{} leaves {} there", from, toString(decode(other)));
  else
    found = fmt::format("{} leaves nothing there", from);
  std::string elsewhere = live.findPlace(input.value);
  if (!elsewhere.empty())
    found += fmt::format(" and has it in {}", elsewhere);
  return makeError(ErrorCode::JoinRefused, "{}: {} expects {} in {}, but {}", toString(stage.stage), describePart(part),
                   toString(input.value), toString(input.reg), found);
}

// `live` is empty. It is a parameter because returning it would cost copies that take a fifth of a join.
Result<void> enter(const ImageStage &stage, LiveValues &live) {
  if (stage.entryInterface) {
    for (const Binding &input : stage.entryInterface->inputs)
      live.set(input.reg, input.value);
    return {};
  }
  DOVETAIL_CHECK(enterSgprs(stage, live));
  enterVgprs(stage, live);
  return {};
}

Result<void> checkStage(const Image &image, const ImageStage &stage) {
  LiveValues live;
  DOVETAIL_CHECK(enter(stage, live));
  const std::span<const ImagePart> parts(image.parts.data() + stage.firstPart, stage.partCount);
  const Part &first = firstOwnPart(parts);
  const Part *before = nullptr;
  for (unsigned i = 0; i < stage.partCount; ++i) {
    const Part &part = *parts[i].part;
    const Contract &contract = part.contract;
    if (part.code.size() % 4 != 0)
      return makeError(ErrorCode::JoinRefused, "{} has {} bytes of code, which is not a whole number of dwords",
                       describePart(part), part.code.size());
    const bool isSecondHalf = stage.secondHalf != 0 && i >= stage.secondHalf;
    DOVETAIL_CHECK(
        checkModes(first, part, isSecondHalf ? floatModeOf(parts.subspan(stage.secondHalf)) : stage.usage.floatMode));
    for (const Binding &input : contract.inputs)
      if (live.at(input.reg) != encode(input.value) && !isNeverRead(stage, input))
        return refuse(stage, before, part, input, live);
    bool isLast = i + 1 == stage.partCount;
    if (isLast && !contract.endsProgram)
      return makeError(ErrorCode::JoinRefused, "{}: {} is the last part, but does not end the program",
                       toString(stage.stage), describePart(part));
    if (!isLast && contract.endsProgram)
      return makeError(ErrorCode::JoinRefused, "{}: {} ends the program, but is not the last part",
                       toString(stage.stage), describePart(part));
    if (isLast)
      break;
    // Registers above those that a part touches stay as they were; so the second half's values get past the first half.
    live.forgetSgprs(contract.preservedSgprs, part.usage.numberedSgprs);
    live.forgetVgprs(contract.preservedVgprs, part.usage.vgprs);
    for (const Binding &output : contract.outputs)
      live.set(output.reg, output.value);
    before = &part;
  }
  return {};
}

} // namespace

Result<void> checkContracts(const Image &image) {
  for (const ImageStage &stage : image.stages)
    DOVETAIL_CHECK(checkStage(image, stage));
  return {};
}

} // namespace dovetail
