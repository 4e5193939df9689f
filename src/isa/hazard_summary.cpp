// SPDX-License-Identifier: MIT
//
// Two searches over the control flow of one part, each at most MaxWaitStates deep: forward from the start for
// instructions that are sensitive, backward from the end for instructions that leave something pending. Both go in the
// order of increasing wait states, so the first time that a register is met is on the shortest path. Soft clauses are
// collected apart: what counts there is that nothing else stands between an instruction and the border.
#include "src/isa/hazard_summary.h"
#include "src/abi/target_info.h"
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

// The range in the numbers of the Sgpr bank; a count of 0 if it is not scalar data.
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

bool isSetreg(const Instruction &inst) {
  return inst.mnemonic.starts_with("s_setreg");
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
    if (inst.mnemonic == "s_setvskip") {
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

// Without an interlock. GFX8 has one for all but GDS and messages (LLVM: hasReadM0MovRelInterpHazard and others).
bool usesM0(const Instruction &inst, bool isGfx8) {
  if (inst.is(Gds) || inst.mnemonic.starts_with("s_sendmsg") || inst.mnemonic == "s_ttracedata")
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
  return inst.mnemonic.starts_with("s_movrel") || inst.mnemonic.starts_with("s_set_gpr_idx");
}

void addConsumers(const Instruction &inst, bool isGfx8, Edges &edges) {
  if (inst.is(Vmem))
    for (const RegisterRange &range : inst.reads)
      if (HazardEdge edge = scalarEdge(Hazard::ValuWritesSgprThenVmemReadsIt, range); edge.count && !range.implicit)
        edges.push_back(edge);
  if (inst.mnemonic.starts_with("v_div_fmas"))
    edges.push_back(onSpecial(Hazard::ValuWritesVccThenDivFmas));
  if (inst.mnemonic.starts_with("v_readlane") || inst.mnemonic.starts_with("v_writelane")) {
    // The lane select is SRC1; constants have numbers from 128 on.
    if (inst.source1 < 128)
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
  if (inst.mnemonic.starts_with("s_getreg"))
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
  if (inst.mnemonic.starts_with("s_rfe"))
    edges.push_back(onSpecial(Hazard::SetregTrapstsThenRfe));
}

// A register range of a clause's kind: SGPRs of SMEM instructions, VGPRs of VMEM instructions; otherwise count 0.
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

// LLVM compares nothing with a store that no load of the clause stands in front of.
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

// The part's control flow; node n is the border behind its last instruction.
struct Graph {
  std::span<const Instruction> instructions;
  std::vector<boost::container::small_vector<uint32_t, 2>> successors;
  std::vector<boost::container::small_vector<uint32_t, 2>> predecessors;

  uint32_t end() const { return uint32_t(instructions.size()); }
};

Result<Graph> makeGraph(std::span<const Instruction> instructions) {
  Graph graph;
  graph.instructions = instructions;
  const uint32_t size = instructions.empty() ? 0 : instructions.back().offset + instructions.back().size;
  std::vector<uint32_t> indexAt(size / 4 + 1, UINT32_MAX);
  for (uint32_t i = 0; i < graph.end(); ++i)
    indexAt[graph.instructions[i].offset / 4] = i;
  indexAt[size / 4] = graph.end();

  graph.successors.resize(graph.end() + 1);
  graph.predecessors.resize(graph.end() + 1);
  auto connect = [&](uint32_t from, uint32_t to) {
    graph.successors[from].push_back(to);
    graph.predecessors[to].push_back(from);
  };
  for (uint32_t i = 0; i < graph.end(); ++i) {
    const Instruction &inst = graph.instructions[i];
    if (inst.is(EndsProgram | IndirectBranch))
      continue;
    if (inst.is(Branch)) {
      if (inst.branchTarget > size || inst.branchTarget % 4 != 0 || indexAt[inst.branchTarget / 4] == UINT32_MAX)
        return makeError(ErrorCode::InvalidInput,
                         "the branch at offset 0x{:x} leaves the part or lands inside an instruction", inst.offset);
      connect(i, indexAt[inst.branchTarget / 4]);
    }
    if (!inst.is(Branch) || inst.is(Conditional))
      connect(i, i + 1);
  }
  return graph;
}

// Keeps the edge with the fewest wait states for each hazard and register.
void addNearest(std::vector<HazardEdge> &list, const Edges &edges, unsigned waitStates) {
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

// Adds the edges of the instructions whose clause reaches the border: from the nodes at the border along the links, as
// long as nothing else comes between.
template <typename Nodes, typename Links, typename AddEdges>
void addClauses(const Graph &graph, const Nodes &atBorder, const Links &links, const AddEdges &addEdges,
                std::vector<HazardEdge> &list) {
  for (uint32_t kind : {Smem, Vmem}) {
    boost::container::small_vector<uint32_t, MaxClauseDistance> met;
    boost::container::small_vector<uint32_t, 4> front(atBorder.begin(), atBorder.end());
    for (unsigned distance = 0; distance != MaxClauseDistance && !front.empty(); ++distance) {
      boost::container::small_vector<uint32_t, 4> next;
      for (uint32_t node : front) {
        if (node == graph.end() || !graph.instructions[node].is(kind) || std::ranges::find(met, node) != met.end())
          continue;
        met.push_back(node);
        Edges edges;
        addEdges(graph.instructions[node], kind, edges);
        addNearest(list, edges, 0);
        next.insert(next.end(), links[node].begin(), links[node].end());
      }
      front = std::move(next);
    }
  }
}

} // namespace

Result<HazardSummary> summarizeHazards(std::span<const Instruction> instructions, std::string_view gpuName) {
  const bool isGfx8 = gpuName.starts_with("gfx8");
  const TargetInfo *target = findTarget(gpuName);
  const Graph graph = DOVETAIL_TRY(makeGraph(instructions));
  HazardSummary summary;
  summary.length = MaxWaitStates;
  std::vector<uint8_t> seen(graph.end() + 1);
  std::vector<uint32_t> atDistance[MaxWaitStates + 1];

  // Forward. A node's distance is the wait states of what runs before it.
  atDistance[0].push_back(0);
  for (unsigned distance = 0; distance < MaxWaitStates; ++distance) {
    for (size_t k = 0; k < atDistance[distance].size(); ++k) {
      uint32_t node = atDistance[distance][k];
      if (seen[node])
        continue;
      seen[node] = 1;
      if (node == graph.end()) {
        summary.length = uint8_t(distance);
        continue;
      }
      Edges edges;
      addConsumers(graph.instructions[node], isGfx8, edges);
      addNearest(summary.sensitiveAtStart, edges, distance);
      unsigned next = distance + graph.instructions[node].waitStates();
      for (uint32_t successor : graph.successors[node])
        atDistance[std::min(next, MaxWaitStates)].push_back(successor);
    }
  }

  // Backward. A node's distance is the wait states of what runs between it and the end.
  std::fill(seen.begin(), seen.end(), 0);
  for (auto &nodes : atDistance)
    nodes.clear();
  atDistance[0].assign(graph.predecessors[graph.end()].begin(), graph.predecessors[graph.end()].end());
  for (unsigned distance = 0; distance < MaxWaitStates; ++distance) {
    for (size_t k = 0; k < atDistance[distance].size(); ++k) {
      uint32_t node = atDistance[distance][k];
      if (seen[node])
        continue;
      seen[node] = 1;
      Edges edges;
      addProducers(graph.instructions[node], edges);
      addNearest(summary.pendingAtEnd, edges, distance);
      unsigned next = distance + graph.instructions[node].waitStates();
      for (uint32_t predecessor : graph.predecessors[node])
        atDistance[std::min(next, MaxWaitStates)].push_back(predecessor);
    }
  }

  if (target && target->replaysMemory) {
    constexpr std::array<uint32_t, 1> start = {0};
    addClauses(graph, start, graph.successors, addClauseConsumers, summary.sensitiveAtStart);
    addClauses(graph, graph.predecessors[graph.end()], graph.predecessors, addClauseProducers, summary.pendingAtEnd);
  }
  return summary;
}

} // namespace dovetail::isa
