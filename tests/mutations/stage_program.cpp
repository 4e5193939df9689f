// SPDX-License-Identifier: MIT
#include "tests/mutations/stage_program.h"
#include "tests/mutations/edit_part.h"
#include <algorithm>
#include <bitset>
#include <map>
#include <optional>

namespace dovetail::mutations {

namespace {

constexpr unsigned FirstVgpr = 128;
using Registers = std::bitset<FirstVgpr + 256>;

std::optional<unsigned> numberOf(const isa::RegisterRange &range) {
  switch (range.file) {
  case isa::RegisterFile::Vgpr:
    return FirstVgpr + range.first;
  case isa::RegisterFile::Sgpr:
    return range.first;
  case isa::RegisterFile::Vcc:
    return 106 + range.first;
  default:
    return std::nullopt;
  }
}

template <typename Ranges> Registers registersOf(const Ranges &ranges) {
  Registers registers;
  for (const isa::RegisterRange &range : ranges) {
    std::optional<unsigned> first = numberOf(range);
    for (unsigned i = 0; first && i < range.count && *first + i < registers.size(); ++i)
      registers.set(*first + i);
  }
  return registers;
}

// Counters of s_waitcnt.
enum Counter { Vm, Exp, Lgkm, CounterCount };
constexpr std::array<unsigned, CounterCount> NoWait = {63, 7, 15};

std::array<unsigned, CounterCount> waitedFor(const isa::Instruction &wait) {
  unsigned simm16 = wait.immediate, vm = (simm16 & 15) | (simm16 >> 14 & 3) << 4;
  // GFX8 has the lower four bits only, and LLVM leaves 0 in the others.
  return {vm == 15 ? NoWait[Vm] : vm, simm16 >> 4 & 7, simm16 >> 8 & 15};
}

// The operations in flight that one counter counts: the registers that they will write, the registers that they still
// read, and their stores. Each has the least number of operations that were issued behind it. s_waitcnt N waits for
// those that have N or more behind them.
constexpr uint8_t NotInFlight = 255;
struct InFlight {
  std::array<uint8_t, Registers().size()> results, sources;
  uint8_t stores = NotInFlight;

  InFlight() {
    results.fill(NotInFlight);
    sources.fill(NotInFlight);
  }
  bool operator==(const InFlight &) const = default;

  template <typename F> void forEach(const F &f) {
    for (uint8_t &behind : results)
      f(behind);
    for (uint8_t &behind : sources)
      f(behind);
    f(stores);
  }
  bool isEmpty() const {
    auto none = [](uint8_t behind) { return behind == NotInFlight; };
    return std::ranges::all_of(results, none) && std::ranges::all_of(sources, none) && none(stores);
  }
  void mergeWith(const InFlight &other) {
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = std::min(results[i], other.results[i]);
      sources[i] = std::min(sources[i], other.sources[i]);
    }
    stores = std::min(stores, other.stores);
  }
};
using AllInFlight = std::array<InFlight, CounterCount>;

bool accessesMemory(const isa::Instruction &instruction) {
  return instruction.is(isa::Vmem | isa::Ds | isa::Smem) || instruction.mnemonic == "s_barrier" ||
         instruction.mnemonic == "s_sendmsg";
}

// A wave's vector memory operations happen in order, but here a load counts as one that sees stores. Scalar loads do
// not see the vector cache's stores, with a wait or without.
bool seesVectorStores(const isa::Instruction &instruction) {
  return (instruction.is(isa::Vmem) && instruction.is(isa::Load)) || instruction.mnemonic == "s_barrier" ||
         instruction.mnemonic == "s_sendmsg" || instruction.mnemonic.starts_with("s_dcache");
}

void issue(const isa::Instruction &instruction, AllInFlight &inFlight) {
  auto add = [&](Counter counter) {
    InFlight &counted = inFlight[counter];
    counted.forEach([](uint8_t &behind) {
      if (behind < NotInFlight - 1)
        ++behind;
    });
    Registers results, sources;
    if (instruction.is(isa::Vmem | isa::Smem | isa::Ds))
      results = registersOf(instruction.writes);
    if (counter == Exp)
      sources = registersOf(instruction.reads);
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i])
        counted.results[i] = 0;
      if (sources[i])
        counted.sources[i] = 0;
    }
    if (instruction.is(isa::Store))
      counted.stores = 0;
  };
  if (instruction.is(isa::Vmem))
    add(Vm);
  if (instruction.is(isa::Smem | isa::Ds) || instruction.mnemonic.starts_with("flat_"))
    add(Lgkm);
  if (instruction.is(isa::Exp))
    add(Exp);
}

// Scalar loads return in any order. So LGKM_CNT means something only when it is 0.
void waitFor(const isa::Instruction &wait, AllInFlight &inFlight) {
  std::array<unsigned, CounterCount> waited = waitedFor(wait);
  for (unsigned counter = 0; counter < CounterCount; ++counter) {
    if (waited[counter] == NoWait[counter] || (counter == Lgkm && waited[counter] != 0))
      continue;
    inFlight[counter].forEach([&](uint8_t &behind) {
      if (behind >= waited[counter])
        behind = NotInFlight;
    });
  }
}

// The operations in flight in front of each instruction, on some path. Where paths meet, the later issue counts.
std::vector<AllInFlight> findInFlight(const StageProgram &program) {
  std::vector<AllInFlight> before(program.instructions.size());
  std::vector<size_t> work;
  std::vector<bool> reached(program.instructions.size());
  if (!program.instructions.empty())
    work.push_back(0);
  while (!work.empty()) {
    size_t i = work.back();
    work.pop_back();
    reached[i] = true;
    const isa::Instruction &instruction = program.instructions[i];
    AllInFlight now = before[i];
    if (instruction.is(isa::Waitcnt))
      waitFor(instruction, now);
    issue(instruction, now);
    for (size_t next : program.successors[i]) {
      AllInFlight merged = before[next];
      for (unsigned counter = 0; counter < CounterCount; ++counter)
        merged[counter].mergeWith(now[counter]);
      if (merged != before[next] || !reached[next]) {
        before[next] = merged;
        work.push_back(next);
      }
    }
  }
  return before;
}

} // namespace

StageProgram programOf(const Subject &subject, size_t stage) {
  StageProgram program;
  const auto &parts = subject.stages[stage].parts;
  std::vector<size_t> partOf;
  for (size_t part = 0; part < parts.size(); ++part) {
    program.firstOfPart.push_back(program.instructions.size());
    for (isa::Instruction &instruction : instructionsOf(*parts[part], subject.target.gpuName)) {
      program.instructions.push_back(std::move(instruction));
      partOf.push_back(part);
    }
  }
  std::map<std::pair<size_t, uint32_t>, size_t> indexAt;
  for (size_t i = 0; i < partOf.size(); ++i)
    indexAt[{partOf[i], program.instructions[i].offset}] = i;
  program.successors.resize(program.instructions.size());
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction &instruction = program.instructions[i];
    bool isUnconditional = instruction.is(isa::Branch) && !instruction.is(isa::Conditional);
    if (!instruction.is(isa::EndsProgram) && !isUnconditional && i + 1 < program.instructions.size())
      program.successors[i].push_back(i + 1);
    if (!instruction.is(isa::Branch))
      continue;
    auto target = indexAt.find({partOf[i], instruction.branchTarget});
    bool skips = skipsFirstHalf(*parts[partOf[i]], instruction);
    size_t next = skips                                        ? program.firstOfPart[secondGlue(subject.stages[stage])]
                  : target != indexAt.end()                    ? target->second
                  : partOf[i] + 1 < program.firstOfPart.size() ? program.firstOfPart[partOf[i] + 1]
                                                               : program.instructions.size();
    if (next < program.instructions.size())
      program.successors[i].push_back(next);
  }
  return program;
}

bool isLive(const StageProgram &program, size_t instruction, Register reg) {
  unsigned bit = reg.bank == RegisterBank::Vgpr ? FirstVgpr + reg.index : reg.index;
  std::vector<size_t> work = {instruction};
  std::vector<bool> seen(program.instructions.size());
  while (!work.empty()) {
    size_t i = work.back();
    work.pop_back();
    if (i >= seen.size() || seen[i])
      continue;
    seen[i] = true;
    if (registersOf(program.instructions[i].reads)[bit])
      return true;
    if (!registersOf(program.instructions[i].writes)[bit])
      work.insert(work.end(), program.successors[i].begin(), program.successors[i].end());
  }
  return false;
}

std::string whyRedundant(const StageProgram &program, size_t wait) {
  std::array<unsigned, CounterCount> waited = waitedFor(program.instructions[wait]);
  AllInFlight inFlight = findInFlight(program)[wait];
  // The registers and stores that this wait, and no earlier one, makes sure of.
  Registers results, sources;
  bool stores = false, vectorStores = false, any = false;
  for (unsigned counter = 0; counter < CounterCount; ++counter) {
    if (waited[counter] == NoWait[counter])
      continue;
    const InFlight &counted = inFlight[counter];
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = results[i] | (counted.results[i] != NotInFlight && counted.results[i] >= waited[counter]);
      sources[i] = sources[i] | (counted.sources[i] != NotInFlight && counted.sources[i] >= waited[counter]);
    }
    (counter == Vm ? vectorStores : stores) |= counted.stores != NotInFlight;
    any |= !counted.isEmpty();
  }
  if (!any)
    return "nothing is in flight on any path";

  auto covers = [&](const isa::Instruction &other) {
    if (!other.is(isa::Waitcnt))
      return false;
    std::array<unsigned, CounterCount> others = waitedFor(other);
    for (unsigned counter = 0; counter < CounterCount; ++counter) {
      if (waited[counter] != NoWait[counter] && !inFlight[counter].isEmpty() && others[counter] > waited[counter])
        return false;
    }
    return true;
  };
  std::vector<size_t> work = program.successors[wait];
  std::vector<bool> seen(program.instructions.size());
  while (!work.empty()) {
    size_t i = work.back();
    work.pop_back();
    const isa::Instruction &instruction = program.instructions[i];
    if (seen[i] || covers(instruction))
      continue;
    seen[i] = true;
    Registers reads = registersOf(instruction.reads), writes = registersOf(instruction.writes);
    if ((results & (reads | writes)).any() || (sources & writes).any() || (stores && accessesMemory(instruction)) ||
        (vectorStores && seesVectorStores(instruction)))
      return {};
    work.insert(work.end(), program.successors[i].begin(), program.successors[i].end());
  }
  return "nothing uses or sees it before another s_waitcnt or the end";
}

std::string whyIdleWithoutLanes(const Subject &subject, size_t stage, bool isSecondHalf) {
  const size_t between = secondGlue(subject.stages[stage]);
  const size_t first = isSecondHalf ? between + 1 : 1;
  const size_t end = isSecondHalf ? subject.stages[stage].parts.size() : between;
  for (size_t i = first; i < end; ++i) {
    for (const isa::Instruction &instruction :
         instructionsOf(*subject.stages[stage].parts[i], subject.target.gpuName)) {
      bool setsExec = instruction.mnemonic == "s_mov_b64" && instruction.reads.empty() &&
                      instruction.writes.front().file == isa::RegisterFile::Exec;
      bool needsNoLanes = (instruction.is(isa::EndsProgram) && !isSecondHalf) ||
                          (instruction.is(isa::Smem) && instruction.is(isa::Store)) ||
                          instruction.mnemonic == "s_sendmsg" || instruction.mnemonic.starts_with("s_setreg");
      if (setsExec || needsNoLanes)
        return {};
    }
  }
  return "a half without lanes does nothing";
}

std::string whyCutIsNothing(const Subject &subject, size_t stage, const StageProgram &program, size_t message) {
  const ImageStage *geometry = subject.image->findStage(subject.stages[stage].stage);
  if (geometry && geometry->interface && geometry->interface->geometry.output == GeometryOutput::Points)
    return "a strip of points";
  constexpr unsigned MessageGs = 2, MessageGsDone = 3, EmitBit = 1 << 5, StreamBits = 3 << 8;
  std::vector<size_t> work = program.successors[message];
  std::vector<bool> seen(program.instructions.size());
  while (!work.empty()) {
    const size_t i = work.back();
    work.pop_back();
    if (seen[i])
      continue;
    seen[i] = true;
    const isa::Instruction &instruction = program.instructions[i];
    if (instruction.mnemonic == "s_sendmsg") {
      const unsigned sent = instruction.immediate;
      const bool isSameStream = ((sent ^ program.instructions[message].immediate) & StreamBits) == 0;
      if ((sent & 15) == MessageGs && isSameStream && (sent & EmitBit))
        return {};
      if ((sent & 15) == MessageGsDone || ((sent & 15) == MessageGs && isSameStream))
        continue;
    }
    work.insert(work.end(), program.successors[i].begin(), program.successors[i].end());
  }
  return "nothing is emitted behind the cut";
}

} // namespace dovetail::mutations
