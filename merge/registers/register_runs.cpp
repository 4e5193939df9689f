// SPDX-License-Identifier: MIT
#include "merge/registers/register_runs.h"
#include "src/abi/registers/register_fields.h"
#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <cassert>

namespace dovetail {

namespace {

using SortedRegisters = boost::container::static_vector<RegisterValue, MaxImageRegisters>;

SortedRegisters sortRegisters(const Image &image) {
  SortedRegisters sorted;
  for (const RegisterValue &value : image.registers)
    if (!holdsUserData(value.address))
      sorted.push_back(value);
  std::ranges::sort(sorted, {}, &RegisterValue::address);
  return sorted;
}

bool continues(const RegisterRun &run, uint32_t address, RegisterSpace space, uint8_t packetIndex) {
  return address == run.address + run.count && space == run.space && packetIndex == 0 && run.packetIndex == 0;
}

RegisterRuns makeRuns(const SortedRegisters &sorted) {
  RegisterRuns made;
  made.runs.reserve(sorted.size());
  made.values.reserve(sorted.size());
  for (const RegisterValue &value : sorted) {
    const std::optional<RegisterSpace> space = findRegisterSpace(value.address);
    assert(space); // the join makes no others, and readPalElf() refuses them
    const uint8_t packetIndex = packetIndexOf(value.address);
    if (made.runs.empty() || !continues(made.runs.back(), value.address, *space, packetIndex))
      made.runs.push_back({*space, packetIndex, 0, value.address, uint32_t(made.values.size())});
    ++made.runs.back().count;
    made.values.push_back(value.value);
  }
  return made;
}

} // namespace

RegisterRuns registerRuns(const Image &image) {
  return makeRuns(sortRegisters(image));
}

RegisterRuns changedRegisterRuns(const Image &previous, const Image &image) {
  assert(previous.gpuName == image.gpuName);
  const SortedRegisters before = sortRegisters(previous), after = sortRegisters(image);
  SortedRegisters changed;
  // Both are sorted by address and value; the difference is what `after` has and `before` does not.
  std::ranges::set_difference(after, before, std::back_inserter(changed));
  return makeRuns(changed);
}

} // namespace dovetail
