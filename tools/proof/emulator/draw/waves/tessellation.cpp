// SPDX-License-Identifier: MIT
//
// Patches do not share evaluation vertices, and groups do not share waves, because OffchipOffset is in an SGPR.
// Sources: Mesa, si_write_tess_factors and RADV's ac_nir_lower_tess_io_to_mem.c, for the order of factors;
// registers.def for the modes; the Vulkan specification, "Tessellation", for culling and clamping.
#include "tools/proof/emulator/draw/waves/tessellation.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/draw/primitives/tessellator.h"
#include "tools/proof/emulator/draw/waves/hull_waves.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace dovetail::emulator {

namespace {

// A GFX8 HS writes this in front of the factors of a group: the dynamic-HS control word of Mesa
// (si_write_tess_factors). It says that factors follow.
constexpr uint32_t ControlWord = 0x80000000;

Result<TessMode> readMode(const HardwareRegisters &registers) {
  using namespace field;
  const uint32_t param = registerValue(registers, reg::VGT_TF_PARAM);
  const uint32_t type = VGT_TF_PARAM::TYPE.get(param), partitioning = VGT_TF_PARAM::PARTITIONING.get(param),
                 topology = VGT_TF_PARAM::TOPOLOGY.get(param);
  TessMode mode{TessDomain(type), TessPartitioning(partitioning), TessTopology(topology)};
  const bool isLine = mode.topology == TessTopology::Line, isTriangle = topology >= 2;
  if (type > 2 || partitioning > 3 || topology > 3 || (mode.domain == TessDomain::Isoline ? isTriangle : isLine))
    return makeError(ErrorCode::StateMismatch, "VGT_TF_PARAM {:#x}: no such domain, partitioning or topology", param);
  return mode;
}

// The factors of one group.
class FactorBuffer {
public:
  FactorBuffer(Gpu &gpu, const Draw &command, const HullState &state, TessDomain domain)
      : m_memory(gpu.memory()), m_state(state), m_domain(domain) {
    using namespace field;
    m_highest = std::bit_cast<float>(registerValue(command.registers, reg::VGT_HOS_MAX_TESS_LEVEL));
    m_lowest = std::bit_cast<float>(registerValue(command.registers, reg::VGT_HOS_MIN_TESS_LEVEL));
  }

  // Fills the memory with UndefinedValue, so that missing factors show. Errors: StateMismatch if the memory is not
  // there.
  Result<void> prepare(const HullGroup &group) {
    std::span<uint8_t> bytes = bytesOf(group);
    if (bytes.empty())
      return makeError(ErrorCode::StateMismatch, "VGT_TF_MEMORY_BASE {:#x} is no memory for factors",
                       m_state.factorBuffer);
    for (size_t i = 0; i < bytes.size(); i += sizeof(UndefinedValue))
      std::memcpy(&bytes[i], &UndefinedValue, sizeof(UndefinedValue));
    return {};
  }

  // Errors: CheckFailed.
  Result<TessFactors> read(const HullGroup &group, uint32_t patch) const {
    if (m_state.controlDwords != 0 && dword(group, 0) != ControlWord)
      return makeError(ErrorCode::CheckFailed, "the control word in front of a group's factors is {:#x}",
                       dword(group, 0));
    std::array<float, 6> values = {};
    for (uint32_t i = 0; i < m_state.factorDwords; ++i) {
      const uint32_t value = dword(group, m_state.controlDwords + patch * m_state.factorDwords + i);
      if (value == UndefinedValue)
        return makeError(ErrorCode::CheckFailed, "patch {}: tessellation factor {} was not written",
                         group.patches[patch].number, i);
      values[i] = clamped(std::bit_cast<float>(value));
    }
    switch (m_domain) {
    case TessDomain::Isoline: // the number of segments comes first
      return TessFactors{.outer = {values[1], values[0]}, .inner = {}};
    case TessDomain::Triangle:
      return TessFactors{.outer = {values[0], values[1], values[2]}, .inner = {values[3]}};
    case TessDomain::Quad:
      break;
    }
    return TessFactors{.outer = {values[0], values[1], values[2], values[3]}, .inner = {values[4], values[5]}};
  }

private:
  std::span<uint8_t> bytesOf(const HullGroup &group) const {
    return m_memory.at(m_state.factorBuffer + group.tessFactorOffset, m_state.factorBytes(group.patches.size()), true);
  }
  uint32_t dword(const HullGroup &group, uint32_t index) const {
    uint32_t value;
    std::memcpy(&value, &bytesOf(group)[size_t(index) * 4], sizeof(value));
    return value;
  }
  // Factors that cull the patch stay as they are.
  float clamped(float factor) const { return factor > 0 ? std::max(std::min(factor, m_highest), m_lowest) : factor; }

  Memory &m_memory;
  const HullState &m_state;
  TessDomain m_domain;
  float m_lowest, m_highest;
};

void addPatch(const HullGroup &group, uint32_t patchOfGroup, const TessellatedPatch &tessellated, bool lastProvokes,
              FrontDraw &front) {
  const uint32_t patch = group.patches[patchOfGroup].number;
  const auto first = uint32_t(front.vertices.size());
  for (const DomainPoint &point : tessellated.points)
    front.vertices.push_back(
        {.vgprs = {std::bit_cast<uint32_t>(point.u), std::bit_cast<uint32_t>(point.v), patchOfGroup, patch},
         .offchipOffset = group.offchipOffset});
  for (size_t i = 0; i < tessellated.indices.size(); i += tessellated.corners) {
    FrontPrimitive &primitive = front.primitives.emplace_back();
    primitive.corners = uint8_t(tessellated.corners);
    primitive.provoking = lastProvokes ? uint8_t(tessellated.corners - 1) : 0;
    primitive.number = patch;
    for (unsigned corner = 0; corner < tessellated.corners; ++corner)
      primitive.vertex[corner] = first + tessellated.indices[i + corner];
  }
}

} // namespace

Result<FrontDraw> tessellate(Gpu &gpu, const Draw &command) {
  const TessMode mode = DOVETAIL_TRY(readMode(command.registers));
  const HullState state = DOVETAIL_TRY(readHullState(gpu.generation(), command));
  const std::vector<HullGroup> groups = DOVETAIL_TRY(makeHullGroups(state, command.scene));
  HullWaves waves = DOVETAIL_TRY(HullWaves::make(gpu, command, state));
  FactorBuffer factors(gpu, command, state, mode.domain);

  FrontDraw front;
  front.isTessellated = true;
  for (const HullGroup &group : groups) {
    DOVETAIL_CHECK(factors.prepare(group));
    DOVETAIL_CHECK(waves.run(group));
    for (uint32_t patch = 0; patch < group.patches.size(); ++patch)
      addPatch(group, patch, tessellatePatch(mode, DOVETAIL_TRY(factors.read(group, patch))),
               command.scene.state.flatProvokingVertexLast, front);
  }
  return front;
}

} // namespace dovetail::emulator
