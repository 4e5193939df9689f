// SPDX-License-Identifier: MIT
//
// Finds the source lines of an image's main parts. Parts do not have them. So their shaders are compiled again with
// debug information, for tools alone, and the code is compared.
#pragma once

#include "merge/image.h"
#include "parts/cache/part_maker.h"
#include "parts/compile/line_table.h"
#include "variants/shader.h"

namespace dovetail {

// Rows with offsets in the image, sorted. The state is that of the image. Main parts whose module has no lines
// (source_places.h) are not compiled again and have no rows; neither have monolithic parts. Errors: those of the front
// end and the compiler; Internal if the code with debug information differs from that of the image.
Result<std::vector<CodeLine>> findSourceLines(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state,
                                              const Image &image);

} // namespace dovetail
