// SPDX-License-Identifier: MIT
#include "src/state/stage_knowledge.h"

namespace dovetail {

void addToHash(Hasher &hasher, const StageKnowledge &knowledge) {
  hasher.addBytes(std::as_bytes(std::span(knowledge.droppedOutputs)));
  hasher.addBytes(std::as_bytes(std::span(knowledge.droppedPatchOutputs)));
  hasher.addBytes(std::as_bytes(std::span(knowledge.droppedFixedFunctionOutputs)));
  hasher.add(knowledge.keptColors).add(knowledge.dropsTransformFeedback);
  hasher.add(knowledge.constantInputs.size());
  for (const ConstantDword &input : knowledge.constantInputs)
    hasher.add(input.slot).add(input.component).add(input.value);
  hasher.add(knowledge.inlinableUniforms.size());
  for (const InlinableUniform &uniform : knowledge.inlinableUniforms)
    hasher.add(uniform.place).add(uniform.set).add(uniform.binding).add(uniform.offset).add(uniform.value);
  hasher.add(knowledge.patchControlPoints);
}

} // namespace dovetail
