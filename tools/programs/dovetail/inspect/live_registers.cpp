// SPDX-License-Identifier: MIT
//
// A register is live where both hold:
// - Some path leads to a reader without a complete write on the way (backward flow).
// - On some path, or at the start by the hardware, it has been written (forward flow).
//
// EXEC decides whether a write of a VGPR is complete. It has all lanes at the start, and again when the program
// restores a mask that it saved with all lanes.
#include "tools/programs/dovetail/inspect/live_registers.h"
#include "merge/check/checks.h"
#include "merge/check/data_flow.h"
#include "merge/check/register_numbers.h"
#include "src/abi/target_info.h"
#include <bitset>

namespace dovetail {

namespace {

using namespace check;

using Registers = std::bitset<RegisterNumbers>;

// Whether EXEC has all lanes that began, and the SGPR pairs that hold such a mask, each by its first SGPR.
struct Lanes {
  bool isWhole = true;
  std::bitset<NumberedSgprs> saved;

  bool operator==(const Lanes &) const = default;
};

template <typename Visit> void eachNumber(const isa::RegisterRange &range, const Visit &visit) {
  for (unsigned index = 0; index < range.count; ++index)
    if (std::optional<unsigned> number = numberOf(range, index))
      visit(*number);
}

bool isExec(const isa::RegisterRange &range) {
  return range.file == isa::RegisterFile::Exec;
}

// The first SGPR of the mask among these ranges; nothing if they have no mask.
template <typename Ranges> std::optional<unsigned> maskOf(const Ranges &ranges) {
  for (const isa::RegisterRange &range : ranges)
    if (range.file == isa::RegisterFile::Sgpr && range.count == 2 && range.first < NumberedSgprs)
      return range.first;
  return std::nullopt;
}

Lanes after(const isa::Instruction &instruction, Lanes lanes) {
  const bool wasWhole = lanes.isWhole;
  const std::optional<unsigned> source = maskOf(instruction.reads), target = maskOf(instruction.writes);
  const bool sourceIsWhole = source && lanes.saved[*source];
  const bool readsExec = std::ranges::any_of(instruction.reads, isExec);
  if (std::ranges::any_of(instruction.writes, isExec)) {
    if (instruction.mnemonic.starts_with("s_mov_b64"))
      lanes.isWhole = source ? sourceIsWhole : !readsExec; // a constant: all lanes
    else if (instruction.mnemonic.starts_with("s_or_b64"))
      lanes.isWhole = readsExec && (wasWhole || sourceIsWhole);
    else if (!instruction.mnemonic.starts_with("s_wqm"))
      lanes.isWhole = false;
  }
  for (const isa::RegisterRange &range : instruction.writes)
    if (range.file == isa::RegisterFile::Sgpr)
      for (unsigned index = 0; index < range.count; ++index) {
        const unsigned sgpr = range.first + index;
        if (sgpr < NumberedSgprs)
          lanes.saved[sgpr] = false;
        if (sgpr > 0 && sgpr <= NumberedSgprs)
          lanes.saved[sgpr - 1] = false;
      }
  const bool saves = instruction.mnemonic.find("saveexec") != std::string_view::npos ||
                     (instruction.mnemonic.starts_with("s_mov_b64") && readsExec);
  if (saves && target && wasWhole)
    lanes.saved[*target] = true;
  return lanes;
}

class Liveness {
public:
  Liveness(const check::Program &program, uint32_t entry)
      : m_program(program), m_lanes(flowForward<Lanes>(
                                program, entry, Lanes(),
                                [&](uint32_t node, const Lanes &before, const auto &pass) {
                                  for (uint32_t next : program.successors[node])
                                    pass(next, after(program.instructions[node], before));
                                },
                                [](const Lanes &one, const Lanes &other) {
                                  return Lanes{one.isWhole && other.isWhole, one.saved & other.saved};
                                })),
        m_wanted(program.instructions.size()), m_written(program.instructions.size()) {
    followReaders();
    followWriters(entry);
  }

  Registers before(uint32_t node) const { return m_wanted[node] & m_written[node]; }

private:
  // Repeats until nothing changes. Goes backwards, mostly against the order of the code.
  void followReaders() {
    for (bool changes = true; changes;) {
      changes = false;
      for (uint32_t node = uint32_t(m_wanted.size()); node-- > 0;) {
        const isa::Instruction &instruction = m_program.instructions[node];
        Registers wanted;
        for (uint32_t next : m_program.successors[node])
          wanted |= m_wanted[next];
        const Lanes *lanes = m_lanes.before(node);
        for (const isa::RegisterRange &range : instruction.writes)
          if (range.file != isa::RegisterFile::Vgpr || (lanes && lanes->isWhole))
            eachNumber(range, [&](unsigned number) { wanted[number] = false; });
        for (const isa::RegisterRange &range : instruction.reads)
          eachNumber(range, [&](unsigned number) { wanted[number] = true; });
        changes |= wanted != m_wanted[node];
        m_wanted[node] = wanted;
      }
    }
  }

  // At the start, exactly the wanted registers count as written: the hardware provides them.
  void followWriters(uint32_t entry) {
    const auto start = m_program.indexAt.find(entry);
    if (start == m_program.indexAt.end())
      return;
    m_written[start->second] = m_wanted[start->second];
    for (bool changes = true; changes;) {
      changes = false;
      for (uint32_t node = 0; node < m_written.size(); ++node) {
        Registers written = m_written[node];
        for (const isa::RegisterRange &range : m_program.instructions[node].writes)
          eachNumber(range, [&](unsigned number) { written[number] = true; });
        for (uint32_t next : m_program.successors[node]) {
          changes |= (written & ~m_written[next]).any();
          m_written[next] |= written;
        }
      }
    }
  }

  const check::Program &m_program;
  FlowStates<Lanes> m_lanes;
  std::vector<Registers> m_wanted, m_written; // before each instruction
};

} // namespace

std::map<uint32_t, LiveCount> countLiveRegisters(const Image &image) {
  std::map<uint32_t, LiveCount> counts;
  for (const ImageStage &stage : image.stages) {
    Defects defects;
    const check::Program program = walkControlFlow(image, stage, defects);
    const Liveness liveness(program, stage.entry);
    for (uint32_t node = 0; node < program.instructions.size(); ++node) {
      const Registers live = liveness.before(node);
      LiveCount &count = counts[program.instructions[node].offset];
      for (unsigned number = 0; number < RegisterNumbers; ++number) {
        count.sgprs += number < NumberedSgprs && live[number];
        count.vgprs += number >= FirstVgprNumber && live[number];
      }
    }
  }
  return counts;
}

} // namespace dovetail
