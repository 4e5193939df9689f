// SPDX-License-Identifier: MIT
//
// The values of all registers that an image programs on GFX8 and GFX9. These decide the values:
// - the usage of each program, as maxima over its parts (RSRC1 and 2);
// - the interfaces of the main parts (what they export, read and do);
// - the fragment epilog's formats;
// - the layouts of tessellation and geometry groups;
// - the pipeline state.
//
// The table in src/abi/registers/registers.def lists which registers belong to an image, with the function of Mesa's
// that programs each. The constants among their values are those that Mesa 22.3.6 writes there. LLPC's
// Gfx6ConfigBuilder.cpp and Gfx9ConfigBuilder.cpp have the same values unless a comment says otherwise. tests/radv
// compares all fields with RADV's. Each group of hardware stages has one file.
#pragma once

#include "merge/steps.h"
#include "src/abi/registers/registers.h"
#include <boost/container/static_vector.hpp>

namespace dovetail {

// Collects the registers of an image, and gives access to the facts that decide them.
class RegisterWriter {
public:
  RegisterWriter(const PipelineState &pipelineState, const TargetInfo &targetInfo, const Image &joined)
      : state(pipelineState), target(targetInfo), image(joined), hs(joined.findStage(HardwareStage::Hs)),
        gs(joined.findStage(HardwareStage::Gs)) {}

  void set(uint32_t address, uint32_t value) { m_values.push_back({address, value}); }
  // Writes the user data of a program, from the register `firstAddress` on.
  void setUserData(const ImageStage &stage, uint32_t firstAddress);

  bool isGfx8() const { return !target.hasMergedStages; }
  std::span<const RegisterValue> values() const { return {m_values.data(), m_values.size()}; }

  const PipelineState &state;
  const TargetInfo &target;
  const Image &image;
  const ImageStage *const hs, *const gs; // nullptr: the stage is not there

private:
  boost::container::static_vector<RegisterValue, MaxImageRegisters>
      m_values; // its constructor does not clear its memory
};

// The part of RSRC1 that all stages share.
uint32_t programResources(const RegisterWriter &registers, const ImageStage &stage);
// TRAP_PRESENT of RSRC2.
bool hasTrapHandler(const RegisterWriter &registers, const ImageStage &stage);
// LDS_SIZE: the number of granules.
uint32_t ldsGranules(uint32_t bytes);
// Whether the code of this shader reads a register that holds this value.
bool readsValue(const ShaderInterface &interface, const ValueName &value);

// front_end.cpp: which stages there are, and how the front end groups primitives into waves for them.
void writeFrontEnd(RegisterWriter &registers, const ImageStage &vs);
// vertex.cpp: the hardware VS, its exports and transform feedback.
void writeVertex(RegisterWriter &registers, const ImageStage &vs);
// tessellation.cpp: LS, HS and the tessellator.
void writeTessellation(RegisterWriter &registers, const ImageStage &hs);
// geometry.cpp: ES, GS and their rings.
void writeGeometry(RegisterWriter &registers, const ImageStage &gs);
// pixel.cpp: interpolation, the PS, depth and colour.
void writePixel(RegisterWriter &registers, const ImageStage &vs, const ImageStage &ps);
// compute.cpp
void writeCompute(RegisterWriter &registers, const ImageStage &cs);

} // namespace dovetail
