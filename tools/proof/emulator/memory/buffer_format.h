// SPDX-License-Identifier: MIT
//
// Converts typed buffers: BUF_DATA_FORMAT and BUF_NUM_FORMAT of MTBUF instructions and of V#s, as texels ("Vega" ISA
// manual, section 8.4.4; the numbers: AMD's register headers, BUF_DATA_FORMAT and BUF_NUM_FORMAT; which format has
// which number formats, and that only MUBUF uses DST_SEL: CLRadeonExtender, doc/GcnMemHandling.md).
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include "tools/proof/scene/texel.h"
#include <optional>

namespace dovetail::emulator {

// nullopt for combinations that the hardware lacks.
std::optional<TexelLayout> bufferLayout(unsigned dataFormat, unsigned numFormat);

// The four components in memory, before DST_SEL. GFX8 reads the two bits of a signed 2_10_10_10 format as unsigned
// (Mesa, ac_get_vtx_format_info_table in ac_shader_util.c; except Stoney).
TexelValue decodeBufferTexel(Generation generation, const TexelLayout &layout, const uint8_t *bytes);

// Applies DST_SEL to components; the constant one is an integer for integer formats.
TexelValue selectComponents(const TexelValue &value, const std::array<uint8_t, 4> &dstSel, bool isInteger);

// The reverse for stores: a component in memory gets the first data component that selects it, otherwise 0.
TexelValue unselectComponents(const TexelValue &value, const std::array<uint8_t, 4> &dstSel);

// D16: components are 16 bits wide in registers. Floats are rounded by unknownRounding(); integers keep their low bits.
uint16_t toD16(const TexelLayout &layout, uint32_t component);
uint32_t fromD16(const TexelLayout &layout, uint16_t component);

} // namespace dovetail::emulator
