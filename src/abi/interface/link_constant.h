// SPDX-License-Identifier: MIT
//
// Some numbers that code needs depend on two shaders or on the state, so they are known only when a pipeline is put
// together. These are link constants. Code has each as a 32-bit literal (LLVM: llvm.amdgcn.reloc.constant), and the
// join fills it in. So a main part is compiled once, and no user SGPR is spent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dovetail {

enum class LinkConstant : uint8_t {
  LsVertexStride,     // bytes between the vertices that an LS leaves in LDS
  PatchControlPoints, // vertices of an input patch
  PatchesPerGroup,    // patches that an LS-HS group works on
  TcsOutputBase,      // LDS bytes: where the outputs of the group's patches begin, behind the LS's vertices
  TcsOutputVertices,  // vertices of an output patch
  OffchipPatchBase,   // bytes in a group's part of the off-chip buffer: where per-patch outputs begin
  EsVertexStride,     // bytes between the vertices that a GFX9 ES leaves in LDS
  SamplePattern,      // bytes from the start of the sample positions to the pattern of the draw's sample count
                      // (sample_positions.h)
};
constexpr unsigned LinkConstantCount = 8;

// The symbol that a relocation refers to: "dovetail.ls_vertex_stride".
std::string_view symbolOf(LinkConstant constant);
std::optional<LinkConstant> linkConstantOf(std::string_view symbol);

} // namespace dovetail
