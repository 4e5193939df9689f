// SPDX-License-Identifier: MIT
//
// Makes V#s for buffers as this project's shaders expect them (variants/user_data_layout.h,
// parts/kinds/around/vertex_prolog.h). For V#s with a stride, GFX8 counts bytes rather than records.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "tools/proof/emulator/isa/instruction.h"
#include <array>
#include <cstdint>

namespace dovetail {

using BufferView = std::array<uint32_t, 4>;

// For uniform and storage buffers: byte addresses, checked byte by byte.
BufferView rawBufferView(uint64_t address, uint64_t size);

// Records are texels. Errors: Unsupported for a format that typed buffers lack.
Result<BufferView> texelBufferView(emulator::Generation generation, uint64_t address, uint64_t size, VkFormat format);

// Records are vertices or instances. A record counts only if all attributes of the binding fit into it. Errors:
// Unsupported for a format that vertices cannot have.
Result<BufferView> vertexBufferView(emulator::Generation generation, uint64_t address, uint64_t size,
                                    const VertexBinding &binding, const PipelineState &state);

// A transform feedback buffer as PAL describes it (gfx6UniversalCmdBuffer.cpp, gfx9UniversalCmdBuffer.cpp:
// CmdBindStreamOutTargets and StreamOutNumRecords). Records are vertices, as many as addresses reach, because the
// hardware itself counts how many fit. On GFX8, the lane is added to the index. stride: bytes of a vertex.
BufferView streamoutView(emulator::Generation generation, uint64_t address, uint32_t stride);

// The table of sample positions (src/abi/sample_positions.h) as PAL describes it: records of 16 bytes, but counted in
// bytes on all GPUs (gfx9ShaderRing.cpp, SamplePosBuffer).
BufferView samplePositionsView(uint64_t address, uint64_t size);

// For scratch memory, and for the ESGS ring (GFX8) as the ES writes it. Each wave of 64 lanes has a place of its own,
// in which dwords of neighbouring lanes are adjacent. PAL (gfx6ShaderRing.cpp, ScratchRing and EsGsRing;
// gfx9ShaderRing.cpp, ScratchRing) and RADV (radv_fill_shader_rings) describe both without a stride.
BufferView swizzledView(uint64_t address, uint64_t size);

} // namespace dovetail
