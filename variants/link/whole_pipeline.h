// SPDX-License-Identifier: MIT
//
// Whole pipelines: all shaders are compiled at once, each with knowledge of the others and of the state. The result is
// the same as an optimised variant (variants/optimize), but it is built at once, and becomes a pipeline ELF.
#pragma once

#include "parts/cache/part_maker.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include "variants/variant.h"

namespace dovetail {

// The best variant: the optimised one, or the joined one if the optimised one is no better. Takes as long as the
// compiler does; thread-safe. Errors: those of buildVariant().
Result<VariantRef> buildWholePipeline(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state);

// The same as a PAL ELF with every hardware program.
Result<std::vector<uint8_t>> compileWholePipeline(PartMaker &maker, const ShaderSet &shaders,
                                                  const PipelineState &state);

} // namespace dovetail
