// SPDX-License-Identifier: MIT
//
// Which register of a RADV program holds what when it starts, and what it exports: RADV's own calling convention (Mesa
// 22.3: radv_shader_args.c, radv_shader_info.c), which it does not print.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "tests/radv/nir_text.h"
#include "tools/radv/radv_pipelines.h"
#include <set>

namespace dovetail {

// The user SGPRs in their order; each is one SGPR, pointers of 64 bits are two entries.
struct RadvUserSgpr {
  enum class Kind : uint8_t {
    RingTableLow, // 64-bit pointer to rings and sample positions
    RingTableHigh,
    VertexBuffers, // pointer to a V# for each vertex input location that is used
    BaseVertex,
    DrawId,
    BaseInstance,
    DescriptorSet, // `index`: its number
    PushConstantTable,
    PushConstant, // `index`: its dword
    GridSizeLow,  // 64-bit pointer to the numbers of workgroups
    GridSizeHigh,
  };
  Kind kind;
  uint32_t index = 0;
};

// An attribute of the pixel shader, in the order of SPI_PS_INPUT_CNTL.
struct RadvPixelAttribute {
  std::optional<unsigned> parameter; // of the vertex shader; nullopt: the default value
  bool isFlat = false;
  bool isPointCoordinate = false;
};

struct RadvProgramInterface {
  NirShader nir;
  std::vector<RadvUserSgpr> userSgprs;
  std::set<unsigned> vertexLocations; // vertex shaders: each has a V#, in ascending order
  uint32_t pixelInputs = 0;           // pixel shaders: SPI_PS_INPUT_ENA and SPI_PS_INPUT_ADDR
  std::array<bool, 3> usesWorkgroupId = {};
  bool usesGroupSize = false; // compute: the SGPR with the wave's number
  unsigned lastThreadId = 0;  // compute: VGPRs of the local id, minus one
};

// `sets`: the descriptor sets that the stage's SPIR-V uses. Errors: Unsupported where RADV's choice cannot be told from
// what it prints; CheckFailed if the number of registers is not what RADV declared.
Result<RadvProgramInterface> radvInterface(const RadvExecutable &executable, RadvBackend backend,
                                           const std::set<uint32_t> &sets, const PipelineState &state);

// The outputs of a vertex shader that become parameters, by slot, in their order. `pixelNir` may be nullptr.
std::vector<std::string> vertexParameters(const NirShader &vertexNir, const NirShader *pixelNir);

// Errors: Unsupported for 16-bit inputs, whose interpolation differs.
Result<std::vector<RadvPixelAttribute>> pixelAttributes(const NirShader &pixelNir,
                                                        const std::vector<std::string> &parameters);

} // namespace dovetail
