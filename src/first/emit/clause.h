// SPDX-License-Identifier: MIT
//
// Where the hardware repeats memory accesses after a page fault, it repeats all of a row of them (Hazard in
// src/isa/hazards.h, from ClauseWritesThenReads on). An access that does not bear that must begin a new row.
#pragma once

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <utility>
#include <vector>

namespace dovetail::first {

class Clause {
public:
  // Registers [first, second) of the bank that decides: VGPRs of vector memory, SGPRs of scalar loads.
  using Registers = boost::container::static_vector<std::pair<unsigned, unsigned>, 5>;
  struct Member {
    bool isVectorMemory, isLoad;
    Registers reads{}, writes{};
  };

  // Whether the access must not stand behind the row's others; `at`: instructions in front of it.
  bool conflictsWith(const Member &member, size_t at) {
    if (at != m_end || (!m_members.empty() && m_members[0].isVectorMemory != member.isVectorMemory))
      m_members.clear();
    if (m_members.empty())
      return false;
    return overwritesItself(member) || std::ranges::any_of(m_members, [&](const Member &earlier) {
             return overwritesItself(earlier) || overlap(earlier.writes, member.reads) ||
                    overlap(earlier.reads, member.writes) || (earlier.isLoad && !member.isLoad);
           });
  }
  void add(Member member, size_t at) {
    if (at != m_end)
      m_members.clear();
    m_members.push_back(std::move(member));
    m_end = at + 1;
  }

private:
  static bool overlap(const Registers &left, const Registers &right) {
    return std::ranges::any_of(left, [&](auto a) {
      return std::ranges::any_of(right, [&](auto b) { return a.first < b.second && b.first < a.second; });
    });
  }
  static bool overwritesItself(const Member &member) { return overlap(member.reads, member.writes); }

  std::vector<Member> m_members;
  size_t m_end = 0; // instructions up to the row's end
};

} // namespace dovetail::first
