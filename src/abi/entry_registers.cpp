// SPDX-License-Identifier: MIT
#include "src/abi/entry_registers.h"
#include "src/abi/driver_contract.h"
#include "src/base/enumerators.h"
#include <array>

namespace dovetail {

std::span<const ValueName> systemSgprs(HardwareStage stage, VertexSource source) {
  using enum ValueKind;
  // Transform feedback and off-chip tessellation both enable StreamoutConfig. Transform feedback also enables the other
  // streamout values, off-chip tessellation OffchipOffset.
  static constexpr ValueName Vs[] = {{StreamoutConfig},    {StreamoutWriteIndex}, {StreamoutOffset, 0},
                                     {StreamoutOffset, 1}, {StreamoutOffset, 2},  {StreamoutOffset, 3},
                                     {OffchipOffset},      {ScratchOffset}};
  // LOAD_COLLISION_WAVEID enables CollisionWaveId.
  static constexpr ValueName Ps[] = {{PrimMask}, {CollisionWaveId}, {ScratchOffset}};
  static constexpr ValueName Cs[] = {{WorkgroupId, 0}, {WorkgroupId, 1}, {WorkgroupId, 2}, {ScratchOffset}};
  // In the lists from here on, all values but ScratchOffset are always there.
  static constexpr ValueName Ls[] = {{ScratchOffset}};
  static constexpr ValueName Hs[] = {{OffchipOffset}, {TessFactorOffset}, {ScratchOffset}};
  static constexpr ValueName EsVertex[] = {{Es2GsOffset}, {ScratchOffset}};
  static constexpr ValueName EsTessEval[] = {{OffchipOffset}, {UserDataPadding}, {Es2GsOffset}, {ScratchOffset}};
  static constexpr ValueName Gs[] = {{Gs2VsOffset}, {GsWaveId}, {ScratchOffset}};
  const bool isVertex = source == VertexSource::Vertex;
  const std::span<const ValueName> lists[] = {
      Ls, Hs, isVertex ? std::span<const ValueName>(EsVertex) : EsTessEval, Gs, Vs, Ps, Cs};
  static_assert(std::size(lists) == enumeratorCount<HardwareStage>());
  return lists[size_t(stage)];
}

std::span<const ValueName> entryVgprs(HardwareStage stage, VertexSource source) {
  using enum ValueKind;
  static constexpr ValueName Vertex[] = {{VertexId}, {UserDataPadding}, {VertexPrimitiveId}, {InstanceId}};
  static constexpr ValueName TessEval[] = {{TessCoord, 0}, {TessCoord, 1}, {RelPatchId}, {PatchId}};
  static constexpr ValueName Ls[] = {{VertexId}, {RelVertexId}, {UserDataPadding}, {InstanceId}};
  static constexpr ValueName Hs[] = {{PatchId}, {RelIds}};
  static constexpr ValueName Gs[] = {{GsVertexOffset, 0}, {GsVertexOffset, 1}, {GsPrimitiveId},     {GsVertexOffset, 2},
                                     {GsVertexOffset, 3}, {GsVertexOffset, 4}, {GsVertexOffset, 5}, {GsInvocationId}};
  static constexpr ValueName Cs[] = {{LocalInvocationId, 0, 0}, {LocalInvocationId, 0, 1}, {LocalInvocationId, 0, 2}};
  const auto vertices = source == VertexSource::Vertex ? std::span<const ValueName>(Vertex) : TessEval;
  // Those of Ps are packed: psInputs().
  const std::span<const ValueName> lists[] = {Ls, Hs, vertices, Gs, vertices, {}, Cs};
  static_assert(std::size(lists) == enumeratorCount<HardwareStage>());
  return lists[size_t(stage)];
}

std::span<const ValueName> mergedSystemSgprs(HardwareStage stage) {
  using enum ValueKind;
  static constexpr ValueName Hs[] = {{MergedUserDataAddress, 0}, {MergedUserDataAddress, 1}, {OffchipOffset},
                                     {MergedWaveInfo},           {TessFactorOffset},         {ScratchOffset},
                                     {UserDataPadding},          {UserDataPadding}};
  static constexpr ValueName Gs[] = {{MergedUserDataAddress, 0},
                                     {MergedUserDataAddress, 1},
                                     {Gs2VsOffset},
                                     {MergedWaveInfo},
                                     {OffchipOffset},
                                     {ScratchOffset},
                                     {UserDataPadding},
                                     {UserDataPadding}};
  return stage == HardwareStage::Hs ? std::span<const ValueName>(Hs)
                                    : std::span<const ValueName>(Gs, stage == HardwareStage::Gs ? std::size(Gs) : 0);
}

std::span<const ValueName> mergedEntryVgprs(HardwareStage stage, VertexSource source) {
  using enum ValueKind;
  static constexpr ValueName Hs[] = {{PatchId}, {RelIds}, {VertexId}, {RelVertexId}, {UserDataPadding}, {InstanceId}};
  static constexpr ValueName GsVertex[] = {{GsVertexOffsetPair, 0}, {GsVertexOffsetPair, 1}, {GsPrimitiveId},
                                           {GsInvocationId},        {GsVertexOffsetPair, 2}, {VertexId},
                                           {UserDataPadding},       {VertexPrimitiveId},     {InstanceId}};
  static constexpr ValueName GsTessEval[] = {
      {GsVertexOffsetPair, 0}, {GsVertexOffsetPair, 1}, {GsPrimitiveId}, {GsInvocationId}, {GsVertexOffsetPair, 2},
      {TessCoord, 0},          {TessCoord, 1},          {RelPatchId},    {PatchId}};
  if (stage == HardwareStage::Hs)
    return Hs;
  if (stage != HardwareStage::Gs)
    return {};
  return source == VertexSource::Vertex ? std::span<const ValueName>(GsVertex) : GsTessEval;
}

std::span<const PsInput, PsInputCount> psInputs() {
  using enum ValueKind;
  // Bit order of SPI_PS_INPUT_ENA.
  static constexpr PsInput Inputs[PsInputCount] = {
      {PerspSample, 2},  {PerspCenter, 2},  {PerspCentroid, 2},  {PerspPullModel, 3},
      {LinearSample, 2}, {LinearCenter, 2}, {LinearCentroid, 2}, {LineStipple, 1},
      {PosX, 1},         {PosY, 1},         {PosZ, 1},           {PosW, 1},
      {FrontFace, 1},    {Ancillary, 1},    {SampleCoverage, 1}, {PosFixedPt, 1},
  };
  return std::span<const PsInput, PsInputCount>(Inputs);
}

unsigned psInputVgprs(uint32_t addr) {
  unsigned count = 0;
  for (unsigned bit = 0; bit < PsInputCount; ++bit)
    if (addr & (1u << bit))
      count += psInputs()[bit].count;
  return count;
}

// By kind: joins ask for each user SGPR. 0 means that a kind has no number: it is a root dword's number, and no root
// dword is in the contract.
static constexpr auto UserDataNumbers = [] {
  std::array<uint32_t, size_t(ValueKind::UserDataPadding) + 1> numbers = {};
  for (const UserDataContract &row : UserData)
    numbers[size_t(row.kind)] = row.number;
  numbers.back() = PalUserDataUnmapped;
  return numbers;
}();

std::optional<uint32_t> palUserData(const ValueName &value) {
  if (value.kind == ValueKind::WorkgroupCount && value.index != 0) // the high half has no number
    return PalUserDataUnmapped;
  if (!isUserData(value.kind) || UserDataNumbers[size_t(value.kind)] == 0)
    return std::nullopt;
  const uint32_t number = UserDataNumbers[size_t(value.kind)];
  return value.kind == ValueKind::DefaultTessLevel ? number + value.index : number;
}

} // namespace dovetail
