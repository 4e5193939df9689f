// SPDX-License-Identifier: MIT
//
// The hash of a function covers the answers that change a compile, and no others.
#include "src/abi/interface/shader_interface.h"
#include "src/lgc/state/inter_shader_data.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <vector>

using namespace lgc;
using dovetail::Hash128;
using dovetail::StageKnowledge;
using dovetail::UniformPlace;

namespace {

constexpr Hash128 Shader = {1, 2};
using Ask = std::function<void(const InterShaderData &)>;

Hash128 hashAfter(const StageKnowledge &knowledge, const Ask &ask) {
  const InterShaderData data(knowledge, Shader);
  ask(data);
  return data.functionHash();
}

// An unusual answer to each question that the test asks below.
StageKnowledge everything() {
  StageKnowledge knowledge;
  knowledge.droppedOutputs[3] = knowledge.droppedPatchOutputs[3] = knowledge.droppedFixedFunctionOutputs[3] = 4;
  knowledge.keptColors = 1 << 3;
  knowledge.dropsTransformFeedback = true;
  knowledge.constantInputs = {{3, 2, 9}};
  knowledge.inlinableUniforms = {{{UniformPlace::Place::UniformBuffer, 1, 2, 16}, 9}};
  knowledge.patchControlPoints = 3;
  knowledge.packedParameters = {{{3, 2}, {dovetail::PackedParameter0, 0}}};
  return knowledge;
}

const Ask Questions[] = {
    [](const InterShaderData &data) { data.isOutputDropped(3, 2); },
    [](const InterShaderData &data) { data.isPatchOutputDropped(3, 2); },
    [](const InterShaderData &data) { data.isFixedFunctionOutputDropped(3, 2); },
    [](const InterShaderData &data) { data.isColorKept(3); },
    [](const InterShaderData &data) { data.dropsTransformFeedback(); },
    [](const InterShaderData &data) { data.constantInput(3, 2); },
    [](const InterShaderData &data) {
      data.uniformAt({UniformPlace::Place::UniformBuffer, 1, 2, 16});
    },
    [](const InterShaderData &data) { data.patchControlPoints(); },
    [](const InterShaderData &data) {
      data.placeOf({3, 2});
    },
};

} // namespace

TEST_CASE("each question whose answer is not the usual one changes the hash, each in another way") {
  std::vector<Hash128> hashes = {Shader};
  for (const Ask &ask : Questions) {
    const Hash128 hash = hashAfter(everything(), ask);
    CHECK(std::ranges::find(hashes, hash) == hashes.end());
    hashes.push_back(hash);
  }
}

TEST_CASE("usual answers leave the hash as it is") {
  for (const Ask &ask : Questions)
    CHECK((hashAfter({}, ask) == Shader));
  CHECK((hashAfter(everything(), [](const InterShaderData &data) {
           CHECK_FALSE(data.isOutputDropped(3, 1));
           CHECK_FALSE(data.isOutputDropped(1000, 0));
           CHECK_FALSE(data.isColorKept(2));
           CHECK_FALSE(data.constantInput(3, 1));
           CHECK_FALSE(data.uniformAt({UniformPlace::Place::PushConstants, 0, 0, 16}));
           CHECK((data.placeOf({3, 1}) == dovetail::PackedParameter{{3, 1}, {3, 1}}));
         }) == Shader));
}

TEST_CASE("an answer's value is in the hash") {
  StageKnowledge other = everything();
  other.constantInputs[0].value = 8;
  other.inlinableUniforms[0].value = 8;
  other.patchControlPoints = 4;
  other.packedParameters[0].packed.component = 1;
  unsigned different = 0;
  for (const Ask &ask : Questions)
    different += hashAfter(everything(), ask) != hashAfter(other, ask);
  CHECK(different == 4);
}

TEST_CASE("so is which half of a dword a parameter has") {
  StageKnowledge low = everything(), high = low;
  low.packedParameters[0].part = dovetail::DwordPart::LowHalf;
  high.packedParameters[0].part = dovetail::DwordPart::HighHalf;
  const Ask ask = [](const InterShaderData &data) { data.placeOf({3, 2}); };
  CHECK(hashAfter(low, ask) != hashAfter(high, ask));
  CHECK(hashAfter(low, ask) != hashAfter(everything(), ask));
}

TEST_CASE("a shader without a hash does not get one") {
  const InterShaderData data(everything());
  for (const Ask &ask : Questions)
    ask(data);
  CHECK((data.functionHash() == Hash128()));
}
