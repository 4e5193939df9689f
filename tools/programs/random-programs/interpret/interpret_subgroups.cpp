// SPDX-License-Identifier: MIT
//
// Interprets operations on subgroups of 64 invocations. Those take part that are there.
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include "tools/programs/random-programs/interpret/interpret_lanes.h"

namespace dovetail::random_programs {

namespace {

// The operation of a reduction or scan.
struct Combination {
  Op op;
  uint64_t identity;
};

std::optional<Combination> combinationOf(SubgroupForm form, Scalar scalar) {
  const uint64_t ones = truncated(~uint64_t(0), bitsOf(scalar));
  switch (form) {
  case SubgroupForm::Add:
  case SubgroupForm::InclusiveAdd:
  case SubgroupForm::ExclusiveAdd:
    return Combination{Op::Add, 0};
  case SubgroupForm::Minimum:
    return Combination{Op::Minimum, ones};
  case SubgroupForm::MaximumSigned:
    return Combination{Op::MaximumSigned, uint64_t(1) << (bitsOf(scalar) - 1)};
  case SubgroupForm::And:
    return Combination{Op::And, ones};
  case SubgroupForm::Or:
    return Combination{Op::Or, 0};
  case SubgroupForm::Xor:
    return Combination{Op::Xor, 0};
  default:
    return std::nullopt;
  }
}

} // namespace

Lanes Evaluator::evaluateSubgroup(const Expression &expression, const std::vector<Lanes> &arguments,
                                  const LaneMask &active) {
  if (m_shader.stage != Stage::Compute)
    refuse(expression, "a subgroup operation outside of compute shaders");
  const auto form = SubgroupForm(expression.words[0]);
  const Lanes &value = arguments[0];
  Lanes result(1, m_shader.lanes);
  for (uint32_t first = 0; first < m_shader.lanes; first += SubgroupLanes) {
    const uint32_t last = std::min(first + SubgroupLanes, m_shader.lanes);
    std::vector<uint32_t> there;
    for (uint32_t lane = first; lane < last; ++lane)
      if (active[lane])
        there.push_back(lane);
    if (there.size() < last - first)
      m_memory.partSubgroups();
    if (const auto combination = combinationOf(form, expression.type.scalar)) {
      uint64_t sum = combination->identity;
      for (uint32_t lane : there) {
        const uint64_t operands[3] = {sum, value.at(0, lane), 0}, before = sum;
        sum = *calculate(combination->op, expression.type.scalar, operands);
        result.at(0, lane) = form == SubgroupForm::ExclusiveAdd ? before : sum;
      }
      if (form < SubgroupForm::InclusiveAdd)
        for (uint32_t lane : there)
          result.at(0, lane) = sum;
      continue;
    }
    uint64_t ballot = 0, everybody = 0;
    for (uint32_t lane : there) {
      ballot |= (value.at(0, lane) & 1) << (lane - first);
      everybody |= uint64_t(1) << (lane - first);
    }
    for (uint32_t lane : there) {
      uint64_t from = 0;
      switch (form) {
      case SubgroupForm::Ballot:
        result.at(0, lane) = truncated(ballot >> (32 * expression.words[1]), 32);
        continue;
      case SubgroupForm::All:
        result.at(0, lane) = ballot == everybody;
        continue;
      case SubgroupForm::Any:
        result.at(0, lane) = ballot != 0;
        continue;
      case SubgroupForm::BroadcastFirst:
        from = there.front() - first;
        break;
      case SubgroupForm::ShuffleXor:
        from = (lane - first) ^ arguments[1].at(0, lane);
        break;
      default:
        from = arguments[1].at(0, lane);
        break;
      }
      if (from >= last - first || !active[first + from])
        return refuse(expression.arguments[1], "a lane that is not there"), result;
      result.at(0, lane) = value.at(0, first + uint32_t(from));
    }
  }
  return result;
}

} // namespace dovetail::random_programs
