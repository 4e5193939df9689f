// SPDX-License-Identifier: MIT
//
// Two searches over the control flow of one part, each at most MaxWaitStates deep. The forward search from the start
// looks for instructions that are sensitive, the backward search from the end for instructions that leave something
// pending. Both go in the order of increasing wait states, so they meet each register on the shortest path first. Soft
// clauses are collected apart: an instruction counts there only if the instructions between it and the border are all
// of its clause.
#include "src/isa/hazard_summary.h"
#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>

namespace dovetail::isa {

namespace {

using Edges = boost::container::small_vector<HazardEdge, 8>;

constexpr unsigned ModeVskipBit = 28; // "Vega" ISA manual, section 3.5

HazardEdge onRegisters(Hazard hazard, RegisterBank bank, uint16_t first, uint16_t count) {
  return {hazard, bank, first, count, 0};
}
HazardEdge onSpecial(Hazard hazard, uint16_t number = 0) {
  return {hazard, RegisterBank::Sgpr, number, 0, 0};
}

// The range in the numbers of the Sgpr bank; count 0 if it holds no scalar data.
HazardEdge scalarEdge(Hazard hazard, const RegisterRange &range) {
  switch (range.file) {
  case RegisterFile::Sgpr:
    return onRegisters(hazard, RegisterBank::Sgpr, range.first, range.count);
  case RegisterFile::Vcc:
    return onRegisters(hazard, RegisterBank::Sgpr, VccAsSgpr + range.first, range.count);
  case RegisterFile::M0:
    return onRegisters(hazard, RegisterBank::Sgpr, M0AsSgpr, 1);
  default:
    return onRegisters(hazard, RegisterBank::Sgpr, 0, 0);
  }
}

// Mnemonics are compared only within one encoding.
bool isSetreg(const Instruction &inst) {
  return inst.encoding == Encoding::Sopk && inst.mnemonic.starts_with("s_setreg");
}
uint16_t hwregOf(const Instruction &inst) {
  return inst.immediate & 0x3f;
}

bool coversVskip(const Instruction &inst) {
  unsigned offset = (inst.immediate >> 6) & 0x1f;
  unsigned size = ((inst.immediate >> 11) & 0x1f) + 1;
  return hwregOf(inst) == HwregMode && offset <= ModeVskipBit && ModeVskipBit < offset + size;
}

// A buffer operation whose soffset is a register: its only scalar source that is one dword wide.
bool hasScalarOffset(const Instruction &inst) {
  return std::any_of(inst.reads.begin(), inst.reads.end(), [](const RegisterRange &range) {
    return !range.implicit && range.count == 1 && range.file != RegisterFile::Vgpr;
  });
}

void addProducers(const Instruction &inst, Edges &edges) {
  if (inst.is(Valu | Vintrp)) {
    for (const RegisterRange &range : inst.writes) {
      if (range.file == RegisterFile::Vgpr)
        edges.push_back(
            onRegisters(Hazard::ValuWritesVgprThenDppReadsIt, RegisterBank::Vgpr, range.first, range.count));
      if (HazardEdge edge = scalarEdge(Hazard::ValuWritesSgprThenVmemReadsIt, range); edge.count) {
        edges.push_back(edge);
        edge.hazard = Hazard::ValuWritesSgprThenLaneSelectReadsIt;
        edges.push_back(edge);
      }
      if (range.file == RegisterFile::Vcc) {
        edges.push_back(onSpecial(Hazard::ValuWritesVccThenDivFmas));
        edges.push_back(onSpecial(Hazard::ValuWritesVccOrExecThenReadsVcczExecz, 0));
      }
      if (range.file == RegisterFile::Exec) {
        edges.push_back(onSpecial(Hazard::ValuWritesExecThenDpp));
        edges.push_back(onSpecial(Hazard::ValuWritesVccOrExecThenReadsVcczExecz, 1));
      }
    }
  }
  if (inst.is(Salu)) {
    for (const RegisterRange &range : inst.writes)
      if (range.file == RegisterFile::M0)
        edges.push_back(onSpecial(Hazard::SaluWritesM0ThenInterpOrLdsOrMessage));
    if (isSetreg(inst)) {
      edges.push_back(onSpecial(Hazard::SetregThenGetregOfSameRegister, hwregOf(inst)));
      edges.push_back(onSpecial(Hazard::SetregThenSetregOfSameRegister, hwregOf(inst)));
      if (coversVskip(inst))
        edges.push_back(onSpecial(Hazard::SetregModeVskipThenVector));
      if (hwregOf(inst) == HwregTrapsts)
        edges.push_back(onSpecial(Hazard::SetregTrapstsThenRfe));
    }
    // "SET_VSKIP -> S_GETREG MODE: 2".
    if (inst.encoding == Encoding::Sopc && inst.mnemonic == "s_setvskip") {
      edges.push_back(onSpecial(Hazard::SetregThenGetregOfSameRegister, HwregMode));
      edges.push_back(onSpecial(Hazard::SetregModeVskipThenVector));
    }
  }
  if (inst.is(Vmem) && inst.is(Store) && !inst.is(Mimg)) {
    bool isBuffer = inst.encoding == Encoding::Mubuf || inst.encoding == Encoding::Mtbuf;
    if (!(isBuffer && hasScalarOffset(inst)))
      for (const RegisterRange &range : inst.reads)
        if (range.file == RegisterFile::Vgpr && range.count > 2) // addresses have at most two
          edges.push_back(
              onRegisters(Hazard::WideVmemStoreThenValuWritesItsData, RegisterBank::Vgpr, range.first, range.count));
  }
}

// Whether the instruction reads M0 without an interlock. GFX8 has an interlock for all but GDS and messages (LLVM:
// hasReadM0MovRelInterpHazard and others).
bool usesM0(const Instruction &inst, bool isGfx8) {
  const bool isSopp = inst.encoding == Encoding::Sopp;
  if (inst.is(Gds) || (isSopp && (inst.mnemonic.starts_with("s_sendmsg") || inst.mnemonic == "s_ttracedata")))
    return true;
  if (isGfx8)
    return false;
  if (inst.is(Vintrp))
    return true;
  if (inst.is(Ds))
    return inst.mnemonic.find("addtid") != std::string_view::npos;
  for (const RegisterRange &range : inst.reads) {
    if (range.file == RegisterFile::LdsDirect)
      return true;
    if (range.file == RegisterFile::M0 && range.implicit && inst.is(Vmem)) // loads to LDS
      return true;
  }
  return (isSopp || inst.is(Salu)) &&
         (inst.mnemonic.starts_with("s_movrel") || inst.mnemonic.starts_with("s_set_gpr_idx"));
}

void addConsumers(const Instruction &inst, bool isGfx8, Edges &edges) {
  if (inst.is(Vmem))
    for (const RegisterRange &range : inst.reads)
      if (HazardEdge edge = scalarEdge(Hazard::ValuWritesSgprThenVmemReadsIt, range); edge.count && !range.implicit)
        edges.push_back(edge);
  if (inst.encoding == Encoding::Vop3) {
    if (inst.mnemonic.starts_with("v_div_fmas"))
      edges.push_back(onSpecial(Hazard::ValuWritesVccThenDivFmas));
    // The lane select is SRC1; constants have numbers from 128 on.
    if (inst.source1 < 128 && (inst.mnemonic.starts_with("v_readlane") || inst.mnemonic.starts_with("v_writelane")))
      edges.push_back(onRegisters(Hazard::ValuWritesSgprThenLaneSelectReadsIt, RegisterBank::Sgpr, inst.source1, 1));
  }
  if (inst.is(Dpp)) {
    for (const RegisterRange &range : inst.reads)
      if (range.file == RegisterFile::Vgpr)
        edges.push_back(
            onRegisters(Hazard::ValuWritesVgprThenDppReadsIt, RegisterBank::Vgpr, range.first, range.count));
    edges.push_back(onSpecial(Hazard::ValuWritesExecThenDpp));
  }
  for (const RegisterRange &range : inst.reads) {
    if (range.file == RegisterFile::Vccz)
      edges.push_back(onSpecial(Hazard::ValuWritesVccOrExecThenReadsVcczExecz, 0));
    if (range.file == RegisterFile::Execz)
      edges.push_back(onSpecial(Hazard::ValuWritesVccOrExecThenReadsVcczExecz, 1));
  }
  if (usesM0(inst, isGfx8))
    edges.push_back(onSpecial(Hazard::SaluWritesM0ThenInterpOrLdsOrMessage));
  if (inst.encoding == Encoding::Sopk && inst.mnemonic.starts_with("s_getreg"))
    edges.push_back(onSpecial(Hazard::SetregThenGetregOfSameRegister, hwregOf(inst)));
  if (isSetreg(inst))
    edges.push_back(onSpecial(Hazard::SetregThenSetregOfSameRegister, hwregOf(inst)));
  if (inst.is(Valu | Vintrp))
    for (const RegisterRange &range : inst.writes)
      if (range.file == RegisterFile::Vgpr)
        edges.push_back(
            onRegisters(Hazard::WideVmemStoreThenValuWritesItsData, RegisterBank::Vgpr, range.first, range.count));
  if (inst.is(Valu | Vintrp | Vmem | Ds | Exp))
    edges.push_back(onSpecial(Hazard::SetregModeVskipThenVector));
  if (inst.encoding == Encoding::Sop1 && inst.mnemonic.starts_with("s_rfe"))
    edges.push_back(onSpecial(Hazard::SetregTrapstsThenRfe));
}

// A register range that counts in a clause of this kind: SGPRs in SMEM clauses, VGPRs in VMEM clauses. Count 0 for any
// other range.
HazardEdge clauseEdge(Hazard hazard, uint32_t kind, const RegisterRange &range) {
  if (kind == Smem)
    return scalarEdge(hazard, range);
  const bool isVgpr = range.file == RegisterFile::Vgpr;
  return onRegisters(hazard, RegisterBank::Vgpr, range.first, isVgpr ? range.count : uint16_t(0));
}

HazardEdge onClause(Hazard hazard, uint32_t kind, uint16_t number = 0) {
  return {hazard, kind == Smem ? RegisterBank::Sgpr : RegisterBank::Vgpr, number, 0, 0};
}

struct ClauseAccess {
  Edges reads, writes;
  bool overwritesOperand = false;

  bool isLoad() const { return !writes.empty(); }
};

ClauseAccess clauseAccess(const Instruction &inst, uint32_t kind, Hazard ofReads, Hazard ofWrites) {
  ClauseAccess access;
  for (const RegisterRange &range : inst.reads)
    if (HazardEdge edge = clauseEdge(ofReads, kind, range); edge.count && !range.implicit)
      access.reads.push_back(edge);
  for (const RegisterRange &range : inst.writes)
    if (HazardEdge edge = clauseEdge(ofWrites, kind, range); edge.count && !range.implicit)
      access.writes.push_back(edge);
  for (HazardEdge read : access.reads)
    for (HazardEdge written : access.writes) {
      read.hazard = written.hazard;
      access.overwritesOperand |= conflict(read, written);
    }
  return access;
}

constexpr uint16_t FirstOverwrites = 0, SecondOverwrites = 1;

// Leaves stores out: LLVM compares nothing with a store unless a load of its clause stands in front of it.
void addClauseProducers(const Instruction &inst, uint32_t kind, Edges &edges) {
  ClauseAccess access = clauseAccess(inst, kind, Hazard::ClauseReadsThenWrites, Hazard::ClauseWritesThenReads);
  if (!access.isLoad())
    return;
  edges.insert(edges.end(), access.reads.begin(), access.reads.end());
  edges.insert(edges.end(), access.writes.begin(), access.writes.end());
  edges.push_back(onClause(Hazard::ClauseLoadsThenStores, kind));
  edges.push_back(onClause(Hazard::ClauseOverwritesItsOwnOperand, kind, SecondOverwrites));
  if (access.overwritesOperand)
    edges.push_back(onClause(Hazard::ClauseOverwritesItsOwnOperand, kind, FirstOverwrites));
}

void addClauseConsumers(const Instruction &inst, uint32_t kind, Edges &edges) {
  ClauseAccess access = clauseAccess(inst, kind, Hazard::ClauseWritesThenReads, Hazard::ClauseReadsThenWrites);
  edges.insert(edges.end(), access.reads.begin(), access.reads.end());
  edges.insert(edges.end(), access.writes.begin(), access.writes.end());
  if (inst.is(Store))
    edges.push_back(onClause(Hazard::ClauseLoadsThenStores, kind));
  edges.push_back(onClause(Hazard::ClauseOverwritesItsOwnOperand, kind, FirstOverwrites));
  if (access.overwritesOperand)
    edges.push_back(onClause(Hazard::ClauseOverwritesItsOwnOperand, kind, SecondOverwrites));
}

using Nodes = boost::container::small_vector<uint32_t, 4>;

// The part's control flow; node n is the border behind its last instruction. Few instructions are near a border, so
// successors and predecessors are computed on request.
class Flow {
public:
  explicit Flow(std::span<const Instruction> instructions) : m_instructions(instructions) {}

  // Call this first.
  Result<void> findBranches() {
    const uint32_t size = m_instructions.empty() ? 0 : m_instructions.back().offset + m_instructions.back().size;
    for (uint32_t i = 0; i < end(); ++i) {
      const Instruction &inst = at(i);
      if (!inst.is(Branch | EndsProgram | IndirectBranch))
        continue;
      m_isStraight = false;
      if (inst.is(EndsProgram | IndirectBranch))
        continue;
      auto target = std::ranges::lower_bound(m_instructions, inst.branchTarget, {}, &Instruction::offset);
      const bool meetsOne =
          target != m_instructions.end() ? target->offset == inst.branchTarget : inst.branchTarget == size;
      if (!meetsOne)
        return makeError(ErrorCode::InvalidInput,
                         "the branch at offset 0x{:x} leaves the part or lands inside an instruction", inst.offset);
      m_branches.push_back({i, uint32_t(target - m_instructions.begin())});
    }
    return {};
  }

  // Whether the instructions run one behind the other up to the border, as in most prologs and epilogs.
  bool isStraight() const { return m_isStraight; }

  uint32_t end() const { return uint32_t(m_instructions.size()); }
  const Instruction &at(uint32_t node) const { return m_instructions[node]; }

  Nodes successors(uint32_t node) const {
    Nodes nodes;
    if (node == end())
      return nodes;
    if (at(node).is(Branch))
      for (const Jump &jump : m_branches)
        if (jump.from == node)
          nodes.push_back(jump.to);
    if (goesOn(node))
      nodes.push_back(node + 1);
    return nodes;
  }
  Nodes predecessors(uint32_t node) const {
    Nodes nodes;
    if (node != 0 && goesOn(node - 1))
      nodes.push_back(node - 1);
    for (const Jump &jump : m_branches)
      if (jump.to == node)
        nodes.push_back(jump.from);
    return nodes;
  }

private:
  struct Jump {
    uint32_t from, to;
  };

  bool goesOn(uint32_t node) const {
    const Instruction &inst = at(node);
    return !inst.is(EndsProgram | IndirectBranch) && (!inst.is(Branch) || inst.is(Conditional));
  }

  std::span<const Instruction> m_instructions;
  boost::container::small_vector<Jump, 8> m_branches; // sorted by `from`
  bool m_isStraight = true;
};

// Keeps the edge with the fewest wait states for each hazard and register.
void addNearest(Edges &list, const Edges &edges, unsigned waitStates) {
  for (HazardEdge edge : edges) {
    if (waitStates >= requiredWaitStates(edge.hazard))
      continue;
    edge.waitStates = uint8_t(waitStates);
    bool known = std::any_of(list.begin(), list.end(), [&](const HazardEdge &other) {
      return other.hazard == edge.hazard && other.bank == edge.bank && other.first == edge.first &&
             other.count == edge.count;
    });
    if (!known)
      list.push_back(edge);
  }
}

// Calls `visit(node, waitStates)` for the nodes that are less than MaxWaitStates from a border, the nearest first. A
// node's distance is the sum of the wait states between it and the border. `links(node)`: the next nodes.
template <typename Links, typename Visit>
void searchFromBorder(const Flow &flow, const Nodes &atBorder, const Links &links, const Visit &visit) {
  boost::container::small_vector<uint32_t, 16> seen;
  std::array<Nodes, MaxWaitStates + 1> atDistance;
  atDistance[0] = atBorder;
  for (unsigned distance = 0; distance < MaxWaitStates; ++distance) {
    for (size_t k = 0; k < atDistance[distance].size(); ++k) {
      const uint32_t node = atDistance[distance][k];
      if (std::ranges::find(seen, node) != seen.end())
        continue;
      seen.push_back(node);
      visit(node, distance);
      if (node == flow.end())
        continue;
      Nodes &next = atDistance[std::min(distance + flow.at(node).waitStates(), MaxWaitStates)];
      const Nodes linked = links(node);
      next.insert(next.end(), linked.begin(), linked.end());
    }
  }
}

// The same for straight code, from the start or from the end.
template <typename Visit> void searchStraightFromStart(const Flow &flow, const Visit &visit) {
  unsigned distance = 0;
  for (uint32_t node = 0; distance < MaxWaitStates; ++node) {
    visit(node, distance);
    if (node == flow.end())
      return;
    distance += flow.at(node).waitStates();
  }
}
template <typename Visit> void searchStraightFromEnd(const Flow &flow, const Visit &visit) {
  unsigned distance = 0;
  for (uint32_t node = flow.end(); node != 0 && distance < MaxWaitStates; --node) {
    visit(node - 1, distance);
    distance += flow.at(node - 1).waitStates();
  }
}

// Adds the edges of the instructions whose clause reaches the border: follows the links from the nodes at the border as
// long as it meets instructions of the clause's kind.
template <typename Links, typename AddEdges>
void addClauses(const Flow &flow, const Nodes &atBorder, const Links &links, const AddEdges &addEdges, Edges &list) {
  for (uint32_t kind : {Smem, Vmem}) {
    auto isOfKind = [&](uint32_t node) { return node != flow.end() && flow.at(node).is(kind); };
    if (std::ranges::none_of(atBorder, isOfKind))
      continue;
    boost::container::small_vector<uint32_t, MaxClauseDistance> met;
    Nodes front = atBorder;
    for (unsigned distance = 0; distance != MaxClauseDistance && !front.empty(); ++distance) {
      Nodes next;
      for (uint32_t node : front) {
        if (!isOfKind(node) || std::ranges::find(met, node) != met.end())
          continue;
        met.push_back(node);
        Edges edges;
        addEdges(flow.at(node), kind, edges);
        addNearest(list, edges, 0);
        const Nodes linked = links(node);
        next.insert(next.end(), linked.begin(), linked.end());
      }
      front = std::move(next);
    }
  }
}

} // namespace

Result<HazardSummary> summarizeHazards(std::span<const Instruction> instructions, const TargetInfo &target) {
  const bool isGfx8 = target.gfxIp.major == 8;
  Flow flow(instructions);
  DOVETAIL_CHECK(flow.findBranches());
  HazardSummary summary;
  summary.length = MaxWaitStates;
  const Nodes start = {0}, end = flow.predecessors(flow.end());
  auto forward = [&](uint32_t node) { return flow.successors(node); };
  auto backward = [&](uint32_t node) { return flow.predecessors(node); };

  Edges sensitive, pending, edges;
  auto addSensitive = [&](uint32_t node, unsigned waitStates) {
    if (node == flow.end()) {
      summary.length = uint8_t(waitStates);
      return;
    }
    edges.clear();
    addConsumers(flow.at(node), isGfx8, edges);
    addNearest(sensitive, edges, waitStates);
  };
  auto addPending = [&](uint32_t node, unsigned waitStates) {
    edges.clear();
    addProducers(flow.at(node), edges);
    addNearest(pending, edges, waitStates);
  };
  if (flow.isStraight()) {
    searchStraightFromStart(flow, addSensitive);
    searchStraightFromEnd(flow, addPending);
  } else {
    searchFromBorder(flow, start, forward, addSensitive);
    searchFromBorder(flow, end, backward, addPending);
  }
  if (target.replaysMemory) {
    addClauses(flow, start, forward, addClauseConsumers, sensitive);
    addClauses(flow, end, backward, addClauseProducers, pending);
  }
  summary.sensitiveAtStart.assign(sensitive.begin(), sensitive.end());
  summary.pendingAtEnd.assign(pending.begin(), pending.end());
  return summary;
}

} // namespace dovetail::isa
