// SPDX-License-Identifier: MIT
#include "tools/variant-bench/first_draws.h"
#include "tools/variant-bench/measure.h"

namespace dovetail {

namespace {

bool isMain(PartKind kind) {
  switch (kind) {
  case PartKind::VertexMain:
  case PartKind::TessControlMain:
  case PartKind::TessEvalMain:
  case PartKind::GeometryMain:
  case PartKind::FragmentMain:
  case PartKind::ComputeMain:
  case PartKind::Monolithic:
    return true;
  default:
    return false;
  }
}

} // namespace

Result<FirstDraw> measureFirstDraw(Device &device, const BenchProgram &program) {
  const double start = wallMicroseconds();
  for (const ShaderRef &shader : program.set.shaders)
    if (shader)
      DOVETAIL_TRY(createShader(shader->description));
  const double read = wallMicroseconds() - start;
  const VariantRef variant = DOVETAIL_TRY(device.bind(program.set, program.grid.states.front()));
  double mains = 0, others = 0;
  for (const ImagePart &use : variant->image->parts)
    (isMain(use.part->key.kind) ? mains : others) += use.part->buildMicroseconds;
  return FirstDraw{program.name,
                   {{"validate and reflect", read},
                    {"main parts", mains},
                    {"prologs, epilogs, glue", others},
                    {"join", variant->joinMicroseconds}}};
}

} // namespace dovetail
