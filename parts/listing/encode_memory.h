// SPDX-License-Identifier: MIT
//
// Steps of a listing that access memory, as machine code.
#pragma once

#include "parts/listing/placed_values.h"
#include <boost/container/static_vector.hpp>
#include <span>

namespace dovetail {

class MemoryEncoder {
public:
  explicit MemoryEncoder(PlacedValues &values) : m_values(values) {}

  // Also loads the descriptors of the steps directly behind it.
  void loadDescriptor();
  void loadTyped();
  void loadRaw();
  void loadLds();
  void storeRaw();

private:
  isa::Operand tableAddress(Value low);
  bool loadDescriptors(std::span<const Value> descriptors);
  isa::Operand descriptorOf(Value value);
  isa::Operand storedRun(std::span<const Value> stored);

  struct Run {
    boost::container::static_vector<Value, 4> values;
    isa::Operand first;
  };

  PlacedValues &m_values;
  std::optional<isa::Operand> m_table;
  boost::container::small_vector<Run, 2> m_runs; // consecutive values
  bool m_hasLdsLimit = false;
};

} // namespace dovetail
