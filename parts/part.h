// SPDX-License-Identifier: MIT
//
// Part: one piece of a hardware shader as immutable plain data. A hardware shader is a sequence of parts; the join
// copies their code one behind the other. An object file is read once, when its part is made.
#pragma once

#include "parts/code_tier.h"
#include "parts/part_kind.h"
#include "src/abi/interface/layout_constant.h"
#include "src/abi/interface/merged_entry.h"
#include "src/abi/interface/shader_interface.h"
#include "src/base/boxed.h"
#include "src/base/hash.h"
#include "src/isa/hazards.h"
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// A hash of everything that changes the code of a part, and of nothing else.
struct PartKey {
  PartKind kind;
  Hash128 hash;

  auto operator<=>(const PartKey &) const = default;
};

// Which registers hold values where a part begins and ends.
struct Contract {
  std::vector<Binding> inputs;  // read by the part; sorted by register
  std::vector<Binding> outputs; // made by the part; sorted by register. Empty if the part ends the program.
  // Registers [0, n) that the part leaves as it found them, whatever they hold. A prolog passes the main part's inputs
  // on in these.
  uint16_t preservedSgprs = 0;
  uint16_t preservedVgprs = 0;
  bool endsProgram = false;
};

// Branch16: SIMM16 of a SOPP branch, the distance in dwords from the end of the instruction; the field is the whole
// instruction.
enum class RelocationKind : uint8_t { Abs32, Abs32Lo, Abs32Hi, Abs64, Rel32, Rel32Lo, Rel32Hi, Rel64, Branch16 };

struct RelocationKindRow {
  const char *name;
  uint32_t elfType; // R_AMDGPU_…
  uint32_t size;    // of the field, bytes
  bool isRelative = false;
  bool takesHighHalf = false;
  bool mustFit = false; // the field is signed, has 32 bits and must hold the whole value
};

// Source: LLVM's "User Guide for AMDGPU Backend", Relocation Records.
constexpr RelocationKindRow RelocationKindRows[] = {
    {.name = "abs32", .elfType = 6, .size = 4, .mustFit = true},
    {.name = "abs32 lo", .elfType = 1, .size = 4},
    {.name = "abs32 hi", .elfType = 2, .size = 4, .takesHighHalf = true},
    {.name = "abs64", .elfType = 3, .size = 8},
    {.name = "rel32", .elfType = 4, .size = 4, .isRelative = true, .mustFit = true},
    {.name = "rel32 lo", .elfType = 10, .size = 4, .isRelative = true},
    {.name = "rel32 hi", .elfType = 11, .size = 4, .isRelative = true, .takesHighHalf = true},
    {.name = "rel64", .elfType = 5, .size = 8, .isRelative = true},
    {.name = "branch16", .elfType = 14, .size = 4, .isRelative = true},
};

constexpr const RelocationKindRow &rowOf(RelocationKind kind) {
  return RelocationKindRows[size_t(kind)];
}
enum class RelocationTarget : uint8_t {
  Code, // of the part itself
  Constants,
  Link,       // a link constant: `addend` is its number (src/abi/interface/link_constant.h), the kind Abs32 or Abs32Lo
  SecondHalf, // the second piece of glue of a merged program; the kind is Branch16
};

// A field of the code (4 bytes, 8 for the 64-bit kinds) that depends on where code or constants are placed. The value
// is target + addend, minus the address of the field for the Rel kinds.
struct Relocation {
  uint32_t offset; // of the field, from the start of the part's code
  RelocationKind kind;
  RelocationTarget target;
  int64_t addend; // from the start of the target
};

// A field of the code that depends on the pipeline's layout.
enum class LayoutField : uint8_t {
  Literal,      // 32 bits
  ScalarOffset, // the low ScalarOffsetBits of a scalar load's second dword
};

struct LayoutRelocation {
  uint32_t offset; // of the dword, from the start of the part's code
  LayoutField field;
  LayoutConstant constant;
};

// The resources and modes of a part's code. Float mode bits as in SPI_SHADER_PGM_RSRC1: [3:0] rounding, [7:4]
// denormals.
struct Usage {
  uint16_t sgprs = 0; // including VCC and other specials, as LLVM counts them
  // One past the highest SGPR that the code touches by number. Registers above it are unchanged when the part ends.
  uint16_t numberedSgprs = 0;
  uint16_t specialSgprs = 0; // that it touches in addition: VCC (2), XNACK_MASK (4), FLAT_SCRATCH (6)
  uint16_t vgprs = 0;
  uint32_t scratchBytes = 0; // per lane
  uint32_t ldsBytes = 0;
  uint8_t floatMode = 0xc0;
  bool runsInAnyFloatMode = false; // prologs and epilogs: the mode is that of the parts beside them
  bool ieeeMode = false;
  bool dx10Clamp = true;
  uint8_t waveSize = 64;
  // PS input VGPRs: the inputs that the part's code needs loaded, and the layout that it was compiled for
  // (SPI_PS_INPUT_ENA/ADDR).
  uint32_t psInputEna = 0;
  uint32_t psInputAddr = 0;
  // Registers that the allocator had no room for and kept elsewhere: SGPRs in lanes of VGPRs or in scratch memory,
  // VGPRs in scratch memory. Each store of such a register counts.
  uint32_t spilledSgprs = 0;
  uint32_t spilledVgprs = 0;
};

// The exports of an epilog that registers outside the shader must announce (fragment epilogs only).
struct FragmentExports {
  uint32_t colFormat = 0;    // SPI_SHADER_COL_FORMAT, compacted: 4 bits per exported MRT
  uint32_t cbShaderMask = 0; // CB_SHADER_MASK, by API target
  uint8_t zFormat = 0;       // SPI_SHADER_Z_FORMAT
  bool depth = false;        // DB_SHADER_CONTROL: Z_EXPORT_ENABLE, STENCIL_…, MASK_…
  bool stencil = false;
  bool sampleMask = false;
  bool kills = false; // alpha test
  bool alphaToCoverage = false;
};

struct Part {
  PartKey key;
  CodeTier tier = CodeTier::Llvm; // main parts; all other compiled parts are LLVM's
  std::vector<uint8_t>
      keyFields;             // the bytes whose hash is in `key` (kinds/key_bytes.h); empty for parts made without a key
  std::string description;   // its purpose in words, if `keyFields` do not tell it (kinds/part_description.h)
  std::vector<uint8_t> code; // a multiple of 4 bytes
  std::vector<uint8_t> constants; // read-only data that the code loads; empty for most parts
  uint32_t constantsAlignment = 4;
  std::vector<Relocation> relocations;
  std::vector<LayoutRelocation> layoutRelocations;
  Contract contract;
  Usage usage;
  isa::HazardSummary hazards;
  // Main and monolithic parts: the needs of their shader, which its surroundings meet.
  Boxed<ShaderInterface> interface;
  // Monolithic parts that are a whole merged program: the interface of the first half's shader.
  Boxed<ShaderInterface> firstInterface;
  // The first part of a merged program (its first glue, or the monolithic part): the launch state.
  std::optional<EntryInterface> entry;
  // Fragment epilogs, monolithic fragment parts and the null fragment shader.
  std::optional<FragmentExports> fragmentExports;
  uint32_t instructionCount = 0;
  double buildMicroseconds = 0; // wall time that making the part took
};

using PartRef = std::shared_ptr<const Part>;

} // namespace dovetail
