// SPDX-License-Identifier: MIT
//
// The fields that may hold any value: the hardware does not read them, or reads them only where they change nothing.
#include "tests/radv/registers/register_faults.h"
#include <fnmatch.h>

namespace dovetail {

namespace {

struct Case {
  const RegisterFault &fault;
  const Image &image;
  const TargetInfo &target;
};

using namespace field;

uint32_t valueIn(const Image &image, uint32_t address) {
  const RegisterValue *found = image.findRegister(address);
  return found ? found->value : 0;
}

bool readsPointCoordinate(const Image &image) {
  for (uint32_t i = 0; i < 32; ++i)
    if (SPI_PS_INPUT_CNTL_0::PT_SPRITE_TEX.get(valueIn(image, reg::SPI_PS_INPUT_CNTL_0 + i)) != 0)
      return true;
  return false;
}

bool loadsCentroidBesideCenter(const Image &image) {
  using namespace SPI_PS_INPUT_ENA;
  const uint32_t inputs = valueIn(image, reg::SPI_PS_INPUT_ENA);
  return (PERSP_CENTER_ENA.get(inputs) != 0 && PERSP_CENTROID_ENA.get(inputs) != 0) ||
         (LINEAR_CENTER_ENA.get(inputs) != 0 && LINEAR_CENTROID_ENA.get(inputs) != 0);
}

struct HarmlessFault {
  std::string_view registers, field; // patterns as in explained_fields.h
  bool (*holds)(const Case &);       // nullptr: always
  std::string_view reason;
};

constexpr HarmlessFault Table[] = {
    {"SPI_INTERP_CONTROL_0", "PNT_SPRITE_*", [](const Case &c) { return !readsPointCoordinate(c.image); },
     "point sprites are for attributes with PT_SPRITE_TEX, and there are none"},
    {"SPI_PS_INPUT_CNTL_0", "*",
     [](const Case &c) { return SPI_PS_IN_CONTROL::NUM_INTERP.get(valueIn(c.image, reg::SPI_PS_IN_CONTROL)) == 0; },
     "SPI_PS_IN_CONTROL says that there are no attributes"},
    {"SPI_PS_IN_CONTROL", "BC_OPTIMIZE_DISABLE", [](const Case &c) { return !loadsCentroidBesideCenter(c.image); },
     "nothing is left out where centroids are not loaded beside the same weights at the centre"},
    {"PA_SC_MODE_CNTL_1", "OUT_OF_ORDER_WATER_MARK", nullptr,
     "counts with OUT_OF_ORDER_PRIMITIVE_ENABLE only, which no image sets"},
    {"PA_SC_MODE_CNTL_1", "WALK_FENCE_SIZE", nullptr,
     "the way over the screen, by the number of tile pipes: PAL and Mesa put their own value in"},
    {"PA_CL_CLIP_CNTL", "VTE_VPORT_PROVOKE_DISABLE",
     [](const Case &c) {
       return PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX.get(valueIn(c.image, reg::PA_CL_VS_OUT_CNTL)) != 0;
     },
     "LLPC sets it for viewport indices, Mesa does not"},
    {"DB_SHADER_CONTROL", "EXEC_ON_NOOP",
     [](const Case &c) {
       return DB_SHADER_CONTROL::EXEC_ON_HIER_FAIL.get(valueIn(c.image, reg::DB_SHADER_CONTROL)) != 0;
     },
     "beside EXEC_ON_HIER_FAIL, RADV sets it, radeonsi and LLPC do not"},
    {"SPI_SHADER_PGM_RSRC1_GS", "GS_VGPR_COMP_CNT",
     [](const Case &c) {
       return c.target.hasMergedStages &&
              c.image.findInterface(HardwareStage::Gs)->geometry.input == GeometryInput::TrianglesAdjacency;
     },
     "with vertices 4 and 5, the hardware ignores it and loads all five registers (radeonsi's si_shader_gs())"},
};

bool matches(std::string_view pattern, std::string_view name) {
  return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

} // namespace

std::string_view whyHarmless(const RegisterFault &fault, const Image &image, const TargetInfo &target) {
  for (const HarmlessFault &each : Table)
    if (matches(each.registers, fault.row->name) && matches(each.field, fault.field) &&
        (!each.holds || each.holds({fault, image, target})))
      return each.reason;
  return {};
}

} // namespace dovetail
