// SPDX-License-Identifier: MIT
//
// Finds out what each user SGPR of a RADV program holds. RADV tells nobody. But the parameters of a recorded draw can
// get values that nothing else has; then each SGPR's value tells its meaning.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/base/error.h"
#include "tools/proof/radv/commands/pm4.h"
#include <vector>

namespace dovetail {

// Each is one SGPR; a 64-bit pointer is two.
struct RadvUserSgpr {
  enum class Kind : uint8_t {
    RingTableLow, // 64-bit pointer to rings and sample positions
    RingTableHigh,
    VertexBuffers, // pointer to a V# for each used vertex input location
    BaseVertex,
    DrawId,
    BaseInstance,
    DescriptorSet,      // `index`: its number
    DescriptorSetTable, // pointer to the sets' pointers
    PushConstantTable,
    PushConstant, // `index`: its dword
    StreamoutTable,
    GridSizeLow, // 64-bit pointer to the numbers of workgroups
    GridSizeHigh,
  };
  Kind kind;
  uint32_t index = 0;
};

// The values of a recorded draw or dispatch.
namespace marked {
constexpr uint32_t FirstVertex = 0x5eed0100, FirstInstance = 0x5eed0200;
constexpr uint32_t GridSizeAddress = 0x5eed0300; // of the arguments of an indirect dispatch
constexpr uint32_t FirstPushConstant = 0x5eed1000;
constexpr uint32_t LastDraw = 1; // the number of the last of several draws; no pointer has this value
// Descriptor set n lies in part n + 1 of the sets' memory, which begins at 0.
constexpr uint32_t DescriptorSetPart = 1 << 20;
constexpr uint32_t MaxDescriptorSets = 32;
} // namespace marked

struct RadvProgramFacts {
  HardwareStage stage;
  bool isMerged = false;  // an LS-HS or ES-GS program
  bool usesSets = false;  // it may read from descriptor sets
  bool writesXfb = false; // the pipeline has transform feedback, and this is a GS or VS program
};

// Registers of a program: its address (/ 256), RSRC1 and RSRC2, its first user SGPR.
struct RadvProgramRegisters {
  uint32_t address, rsrc1, rsrc2, userData;
};
RadvProgramRegisters registersOf(HardwareStage stage, bool isMerged);

// `registers`: the result of recording with the values above. Errors: CheckFailed for an SGPR that RADV has not
// written.
Result<std::vector<RadvUserSgpr>> readUserSgprs(const RadvProgramFacts &program, const RegisterValues &registers);

} // namespace dovetail
