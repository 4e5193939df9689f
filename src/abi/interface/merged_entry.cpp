// SPDX-License-Identifier: MIT
#include "src/abi/interface/merged_entry.h"
#include <algorithm>

namespace dovetail {

namespace {

bool lists(const ShaderInterface &interface, const ValueName &value) {
  return std::ranges::find(interface.inputs, value, &Binding::value) != interface.inputs.end();
}

// Whether a half reads a value of the merged launch state, directly or in the form into which glue converts it.
bool needs(const ShaderInterface &interface, const ValueName &launched) {
  switch (launched.kind) {
  case ValueKind::MergedWaveInfo:
    return true;
  case ValueKind::GsVertexOffsetPair:
    return lists(interface, {ValueKind::GsVertexOffset, uint8_t(launched.index * 2)}) ||
           lists(interface, {ValueKind::GsVertexOffset, uint8_t(launched.index * 2 + 1)});
  default:
    return lists(interface, launched);
  }
}

} // namespace

EntryInterface mergedEntry(HardwareStage stage, const ShaderInterface &first, const ShaderInterface &second) {
  EntryInterface entry;
  auto sgpr = [](size_t index) { return Register{RegisterBank::Sgpr, uint16_t(index)}; };
  auto addIfNeeded = [&](const ValueName &value, Register reg) {
    if (value.kind != ValueKind::UserDataPadding && (needs(first, value) || needs(second, value)))
      entry.inputs.push_back({value, reg});
  };

  std::span<const ValueName> system = mergedSystemSgprs(stage);
  for (size_t i = 0; i < system.size(); ++i)
    addIfNeeded(system[i], sgpr(i));

  auto addUserData = [&](const ShaderInterface &half) {
    for (const Binding &input : half.inputs) {
      bool isNew = std::ranges::find(entry.inputs, input.value, &Binding::value) == entry.inputs.end();
      if (isUserData(input.value.kind) && input.value.kind != ValueKind::UserDataPadding && isNew)
        entry.inputs.push_back({input.value, sgpr(MergedFirstUserSgpr + entry.userSgprCount++)});
    }
  };
  addUserData(first);
  addUserData(second);

  std::span<const ValueName> vgprs = mergedEntryVgprs(stage, first.source);
  for (size_t i = 0; i < vgprs.size(); ++i)
    addIfNeeded(vgprs[i], {RegisterBank::Vgpr, uint16_t(i)});
  std::ranges::sort(entry.inputs, {}, &Binding::reg);
  return entry;
}

} // namespace dovetail
