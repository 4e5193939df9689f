// SPDX-License-Identifier: MIT
#include "variants/state/state.h"
#include "src/base/field_bytes.h"
#include "src/state/state_fields.h"
#include "variants/user_pointer.h"
#include <algorithm>
#include <string>

namespace dovetail {

StateRef makeState(PipelineState fields, void *user) {
  const StateHashes hashes = hashState(fields);
  return std::make_shared<const State>(State{std::move(fields), user, hashes, withUser(hashes.hash(), user)});
}

namespace {

bool haveOnePlace(const InlinableUniform &a, const InlinableUniform &b) {
  return a.place == b.place && a.set == b.set && a.binding == b.binding && a.offset == b.offset;
}

std::string describe(const InlinableUniform &uniform) {
  if (uniform.place == InlinableUniform::Place::PushConstants)
    return fmt::format("push constants, byte {}", uniform.offset);
  return fmt::format("set {} binding {}, byte {}", uniform.set, uniform.binding, uniform.offset);
}

} // namespace

Result<UniformValuesRef> makeUniformValues(std::vector<InlinableUniform> values) {
  for (InlinableUniform &value : values) {
    if (value.offset % 4)
      return makeError(ErrorCode::InvalidInput, "inlinable uniform at {}: not a multiple of 4", describe(value));
    if (value.place == InlinableUniform::Place::PushConstants)
      value.set = value.binding = 0; // nobody reads them
  }
  std::ranges::sort(values);
  auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  auto clash = std::ranges::adjacent_find(values, haveOnePlace);
  if (clash != values.end())
    return makeError(ErrorCode::InvalidInput, "inlinable uniform at {}: both 0x{:x} and 0x{:x}", describe(*clash),
                     clash->value, std::next(clash)->value);

  Hash128 hash = FieldWriter().add(values).hash();
  return std::make_shared<const UniformValues>(UniformValues{std::move(values), hash});
}

} // namespace dovetail
