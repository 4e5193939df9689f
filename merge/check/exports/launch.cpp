// SPDX-License-Identifier: MIT
//
// The hardware should load nothing at the start of a program that no part takes: more VGPRs than VGPR_COMP_CNT and its
// like have to count, or SGPRs that are enabled for nobody. The code would run, but it would waste registers and work
// of the front end. (checkContracts() proves that nothing is missing.)
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include "src/abi/registers/registers.h"
#include <algorithm>
#include <initializer_list>

namespace dovetail::check {

namespace {

using enum ValueKind;

constexpr uint32_t BarycentricPairs = 0x7f; // bits of SPI_PS_INPUT_ENA
constexpr uint32_t CentroidAndCenter[] = {0x6, 0x60};

// Vertex main parts list all of their hardware's ids; their interfaces say which ids they read.
bool takes(const Part &part, const ValueName &value) {
  if (part.key.kind == PartKind::VertexMain && part.interface) {
    if (value.kind == InstanceId)
      return part.interface->vertex.usesInstanceId;
    if (value.kind == VertexPrimitiveId)
      return part.interface->preRaster.usesPrimitiveId;
  }
  return std::ranges::any_of(part.contract.inputs, [&](const Binding &input) { return input.value == value; });
}

class Launch {
public:
  Launch(const Program &program, Defects &defects)
      : m_program(program), m_defects(defects), m_rsrc1(rsrc1(program.image, program.stage)),
        m_rsrc2(rsrc2(program.image, program.stage)) {}

  void check() {
    switch (m_program.stage.stage) {
    case HardwareStage::Ls:
      return vgprs(m_rsrc1 >> 24 & 3, 0, {{VertexId}, {RelVertexId}, {UserDataPadding}, {InstanceId}});
    case HardwareStage::Hs:
      if (isMerged())
        vgprs(m_rsrc1 >> 28 & 3, 0, {{VertexId}, {RelVertexId}, {UserDataPadding}, {InstanceId}});
      return;
    case HardwareStage::Es:
      return vertexVgprs(m_rsrc1 >> 24 & 3);
    case HardwareStage::Gs:
      if (isMerged()) {
        // The third pair of offsets is loaded by need: the count goes up to 3 only.
        vgprs(m_rsrc1 >> 29 & 3, takesAny({GsVertexOffsetPair, 2}) ? 3 : 0,
              {{GsVertexOffsetPair, 0}, {GsVertexOffsetPair, 1}, {GsPrimitiveId}, {GsInvocationId}});
        vertexVgprs(m_rsrc2 >> 16 & 3);
      }
      return;
    case HardwareStage::Vs:
      return vertexVgprs(m_rsrc1 >> 24 & 3);
    case HardwareStage::Ps:
      if ((m_rsrc2 >> 25 & 1) && !takesAny({CollisionWaveId}))
        m_defects.add<LoadedInVain>(m_program.place(), ValueName{CollisionWaveId});
      return pixelInputs();
    case HardwareStage::Cs:
      for (uint8_t i = 0; i < 3; ++i)
        if ((m_rsrc2 >> (7 + i) & 1) && !takesAny({WorkgroupId, i}))
          m_defects.add<LoadedInVain>(m_program.place(), ValueName{WorkgroupId, i});
      if (m_rsrc2 >> 10 & 1)
        m_defects.add<GroupSizeInVain>(m_program.place());
      return vgprs(m_rsrc2 >> 11 & 3, 0,
                   {{LocalInvocationId, 0, 0}, {LocalInvocationId, 0, 1}, {LocalInvocationId, 0, 2}});
    }
  }

private:
  bool isMerged() const { return m_program.stage.firstInterface != nullptr; }

  const Part &part(unsigned i) const { return *m_program.image.parts[m_program.stage.firstPart + i].part; }

  bool takesAny(const ValueName &value) const {
    for (unsigned i = 0; i < m_program.stage.partCount; ++i)
      if (takes(part(i), value))
        return true;
    return false;
  }

  // `last`: the number of the last VGPR that is loaded. `least`: the last VGPR that is always loaded.
  void vgprs(unsigned last, unsigned least, std::initializer_list<ValueName> values) {
    unsigned taken = least;
    for (unsigned i = 0; i < values.size(); ++i)
      if (takesAny(values.begin()[i]))
        taken = std::max(taken, i);
    if (last > taken)
      m_defects.add<VgprsLoadedInVain>(m_program.place(), last + 1, taken + 1);
  }

  // Evaluation shaders always get the number of the patch in its group (Mesa, radv_shader.c).
  void vertexVgprs(unsigned last) {
    if (m_program.stage.stage == HardwareStage::Vs && m_program.image.findStage(HardwareStage::Gs))
      vgprs(last, 0, {{VertexId}}); // the copy shader gets its vertex's place in the ring
    else if (m_program.image.findStage(HardwareStage::Hs))
      vgprs(last, 2, {{TessCoord, 0}, {TessCoord, 1}, {RelPatchId}, {PatchId}});
    else
      vgprs(last, 0, {{VertexId}, {UserDataPadding}, {VertexPrimitiveId}, {InstanceId}});
  }

  // A prolog hands all inputs to the parts behind it.
  void pixelInputs() {
    const uint32_t ena = registerValue(m_program.image, reg::SPI_PS_INPUT_ENA);
    const uint32_t addr = registerValue(m_program.image, reg::SPI_PS_INPUT_ADDR);
    const bool hasProlog = part(0).key.kind == PartKind::FragmentProlog;
    uint32_t wanted = 0, layout = 0;
    for (unsigned i = 0; i < (hasProlog ? 1u : m_program.stage.partCount); ++i) {
      wanted |= part(i).usage.psInputEna;
      layout |= part(i).usage.psInputAddr;
      for (const Binding &input : part(i).contract.inputs)
        if (input.value.kind >= PerspSample && input.value.kind <= PosFixedPt)
          wanted |= 1u << (unsigned(input.value.kind) - unsigned(PerspSample));
    }
    if (addr != layout)
      m_defects.add<InputsInOtherPlaces>(m_program.place(), addr, layout);
    // If no part wants a pair of barycentrics, one pair is loaded because the hardware needs it.
    const uint32_t vain = ena & ~wanted;
    const bool isPair = (vain & ~BarycentricPairs) == 0 && (vain & (vain - 1)) == 0;
    const bool needsPair = (wanted & 0x7f) == 0 || ((wanted & 0x800) && (wanted & 0xf) == 0);
    if (vain != 0 && !(needsPair && isPair))
      m_defects.add<InputsInVain>(m_program.place(), vain);

    // If SPI_PS_IN_CONTROL [14] is 0, the hardware leaves out centroids that equal the centres, and PrimMask [31] says
    // so.
    const bool leavesOut = (registerValue(m_program.image, reg::SPI_PS_IN_CONTROL) >> 14 & 1) == 0;
    const bool putsRight = (hasProlog || part(0).key.kind == PartKind::Monolithic) && takes(part(0), {PrimMask});
    for (uint32_t both : CentroidAndCenter)
      if (leavesOut && (ena & both) == both && !putsRight)
        m_defects.add<CentroidsLeftOut>(m_program.place(), both);
  }

  const Program &m_program;
  Defects &m_defects;
  const uint32_t m_rsrc1, m_rsrc2;
};

} // namespace

void checkLaunch(const Program &program, Defects &defects) {
  Launch(program, defects).check();
}

} // namespace dovetail::check
