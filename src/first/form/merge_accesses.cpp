// SPDX-License-Identifier: MIT
#include "src/first/form/merge_accesses.h"
#include <algorithm>
#include <bit>
#include <unordered_map>

namespace dovetail::first {

using isa::Opcode;

namespace {

constexpr unsigned MaxScalarDwords = 16, MaxVectorDwords = 4;
constexpr uint32_t MaxPairOffset = 255; // dwords, of the LDS instructions with two offsets

class Merger {
public:
  explicit Merger(Program &program) : m_program(program) {}

  void run() {
    for (Block &block : m_program.blocks)
      mergeBlock(block);
  }

private:
  struct Load {
    NodeId node;
    uint32_t epoch; // no memory is written within one
  };

  const Access &accessOf(NodeId id) const { return m_program.accesses[m_program.nodes[id].imm]; }
  Access &accessOf(NodeId id) { return m_program.accesses[m_program.nodes[id].imm]; }

  // Operands that say where: all but the data.
  std::span<const NodeId> place(NodeId id) const {
    const Node &node = m_program.nodes[id];
    auto operands = m_program.operandsOf(node);
    if (node.op == Op::LdsStore)
      return operands.first(1);
    if (node.op == Op::BufferStore)
      return operands.first(operands.size() - accessOf(id).dwords);
    return operands;
  }

  bool isSamePlace(NodeId left, NodeId right) const {
    const Access &a = accessOf(left), &b = accessOf(right);
    return m_program.nodes[left].op == m_program.nodes[right].op && a.offen == b.offen && a.idxen == b.idxen &&
           a.glc == b.glc && a.slc == b.slc && a.isApart == b.isApart && std::ranges::equal(place(left), place(right));
  }

  static bool isPlainLoad(Opcode opcode) {
    return opcode >= Opcode::BufferLoadDword && opcode <= Opcode::BufferLoadDwordx4;
  }
  static bool isPlainStore(Opcode opcode) {
    return opcode >= Opcode::BufferStoreDword && opcode <= Opcode::BufferStoreDwordx4;
  }

  void mergeBlock(Block &block) {
    std::vector<Load> loads[3]; // scalar buffers, buffers, LDS
    uint32_t memoryEpoch = 0, ldsEpoch = 0;
    for (NodeId id = block.firstNode; id < block.endNode; ++id) {
      const Node &node = m_program.nodes[id];
      switch (node.op) {
      case Op::ScalarBufferLoad:
        if (node.count == 4 && !accessOf(id).glc)
          loads[0].push_back({id, 0});
        break;
      case Op::BufferLoad:
        if (isPlainLoad(accessOf(id).opcode) && !accessOf(id).isSwizzled)
          loads[1].push_back({id, memoryEpoch});
        break;
      case Op::LdsLoad:
        if (accessOf(id).opcode == Opcode::DsReadB32)
          loads[2].push_back({id, ldsEpoch});
        break;
      case Op::BufferStore:
      case Op::BufferAtomic:
      case Op::GlobalStore:
      case Op::GlobalAtomic:
      case Op::Image:
        memoryEpoch += accessOf(id).writes;
        break;
      case Op::LdsStore:
        ++ldsEpoch;
        break;
      case Op::Barrier:
      case Op::WaitAll:
        ++ldsEpoch;
        ++memoryEpoch;
        break;
      default:
        break;
      }
    }
    mergeScalars(loads[0]);
    mergeVectors(loads[1]);
    pairLoads(loads[2]);
    mergeStores(block);
  }

  // Parts of `from`, which stand right behind it, become parts of `to`, `shift` dwords further.
  void redirect(NodeId from, NodeId to, uint32_t shift) {
    for (NodeId part = from + 1; part < m_program.nodes.size() && m_program.nodes[part].op == Op::Part; ++part) {
      m_program.nodes[part].a[0] = to;
      m_program.nodes[part].imm += shift;
    }
  }

  // Sorts loads of one place by their offsets.
  template <typename Merge> void forEachPlace(const std::vector<Load> &loads, const Merge &merge) {
    std::vector<std::vector<Load>> places;
    std::unordered_map<uint64_t, std::vector<uint32_t>> byHash; // of the operands: indices in `places`
    for (const Load &load : loads) {
      uint64_t hash = load.epoch;
      for (NodeId operand : place(load.node))
        hash = (hash ^ operand) * 0x9e3779b97f4a7c15;
      std::vector<uint32_t> &alike = byHash[hash];
      const auto same = std::ranges::find_if(alike, [&](uint32_t index) {
        const Load &first = places[index].front();
        return load.epoch == first.epoch && isSamePlace(load.node, first.node);
      });
      if (same != alike.end()) {
        places[*same].push_back(load);
        continue;
      }
      alike.push_back(uint32_t(places.size()));
      places.push_back({load});
    }
    for (std::vector<Load> &same : places) {
      std::ranges::stable_sort(same, {}, [&](const Load &load) { return accessOf(load.node).offset; });
      if (same.size() > 1)
        merge(same);
    }
  }

  void join(std::span<const Load> group, uint32_t begin, unsigned dwords, Opcode opcode) {
    NodeId first = group[0].node;
    for (const Load &load : group)
      first = std::min(first, load.node);
    for (const Load &load : group)
      redirect(load.node, first, (accessOf(load.node).offset - begin) / 4);
    Access &access = accessOf(first);
    access.offset = begin;
    access.dwords = uint8_t(dwords);
    access.opcode = opcode;
  }

  // Loads of 2, 4, 8 or 16 dwords. A load within another one costs nothing.
  void mergeScalars(const std::vector<Load> &loads) {
    static constexpr Opcode opcodes[] = {Opcode::SBufferLoadDword, Opcode::SBufferLoadDwordx2,
                                         Opcode::SBufferLoadDwordx4, Opcode::SBufferLoadDwordx8,
                                         Opcode::SBufferLoadDwordx16};
    forEachPlace(loads, [&](std::vector<Load> &same) {
      for (size_t i = 0; i < same.size();) {
        const uint32_t begin = accessOf(same[i].node).offset;
        size_t best = i + 1;
        unsigned bestSize = accessOf(same[i].node).dwords;
        uint32_t end = begin + 4 * bestSize;
        for (size_t k = i + 1; k < same.size(); ++k) {
          const Access &access = accessOf(same[k].node);
          if (access.offset > end || access.offset % 4 != begin % 4)
            break;
          end = std::max(end, access.offset + 4 * access.dwords);
          const unsigned size = (end - begin) / 4;
          if (size > MaxScalarDwords)
            break;
          if (std::has_single_bit(size)) {
            best = k + 1;
            bestSize = size;
          }
        }
        if (best > i + 1)
          join(std::span(same).subspan(i, best - i), begin, bestSize, opcodes[std::countr_zero(bestSize)]);
        i = best;
      }
    });
  }

  void mergeVectors(const std::vector<Load> &loads) {
    static constexpr Opcode opcodes[] = {Opcode::BufferLoadDword, Opcode::BufferLoadDwordx2, Opcode::BufferLoadDwordx3,
                                         Opcode::BufferLoadDwordx4};
    forEachPlace(loads, [&](std::vector<Load> &same) {
      for (size_t i = 0; i < same.size();) {
        const uint32_t begin = accessOf(same[i].node).offset;
        unsigned size = accessOf(same[i].node).dwords;
        size_t end = i + 1;
        for (; end < same.size(); ++end) {
          const Access &access = accessOf(same[end].node);
          const unsigned reach = (access.offset - begin) / 4 + access.dwords; // a load again costs nothing
          if (access.offset > begin + 4 * size || access.offset % 4 != begin % 4 || reach > MaxVectorDwords)
            break;
          size = std::max(size, reach);
        }
        if (end > i + 1)
          join(std::span(same).subspan(i, end - i), begin, size, opcodes[size - 1]);
        i = end;
      }
    });
  }

  static bool fitsPair(uint32_t offset) { return offset % 4 == 0 && offset / 4 <= MaxPairOffset; }

  // Of loads sorted by their offsets, those from `begin` on that are one: the first makes it for the others.
  std::span<const Load> equalLoads(std::span<const Load> same, size_t begin) const {
    size_t end = std::min(begin + 1, same.size());
    while (end < same.size() && !accessOf(same[begin].node).glc &&
           accessOf(same[end].node).offset == accessOf(same[begin].node).offset)
      ++end;
    return same.subspan(begin, end - begin);
  }

  void pairLoads(const std::vector<Load> &loads) {
    forEachPlace(loads, [&](std::vector<Load> &same) {
      auto redirectAll = [&](std::span<const Load> equal, NodeId to, uint32_t shift) {
        for (const Load &load : equal)
          redirect(load.node, to, shift);
      };
      for (size_t i = 0; i < same.size();) {
        const std::span<const Load> lows = equalLoads(same, i), highs = equalLoads(same, i + lows.size());
        i += lows.size();
        const uint32_t low = accessOf(lows[0].node).offset, high = highs.empty() ? 0 : accessOf(highs[0].node).offset;
        if (highs.empty() || !fitsPair(low) || !fitsPair(high)) {
          redirectAll(lows, lows[0].node, 0);
          continue;
        }
        i += highs.size();
        const NodeId first = std::min(lows[0].node, highs[0].node);
        redirectAll(lows, first, 0);
        redirectAll(highs, first, 1);
        Access &access = accessOf(first);
        access.opcode = Opcode::DsRead2B32;
        access.dwords = 2;
        access.offset = low / 4 | high / 4 << 8;
      }
    });
  }

  // Stores that follow each other, with nothing between them that could see them.
  void mergeStores(Block &block) {
    std::vector<NodeId> kept;
    for (NodeId id : block.effects) {
      if (!kept.empty() && mergeStore(kept.back(), id))
        kept.back() = id;
      else
        kept.push_back(id);
    }
    block.effects = std::move(kept);
  }

  bool mergeStore(NodeId earlier, NodeId later) {
    const Node &first = m_program.nodes[earlier], &second = m_program.nodes[later];
    if (first.op != second.op || (first.op != Op::LdsStore && first.op != Op::BufferStore) ||
        !isSamePlace(earlier, later))
      return false;
    for (NodeId id = earlier + 1; id < later; ++id)
      if (const Op op = m_program.nodes[id].op; op == Op::LdsLoad || op == Op::BufferLoad || op == Op::GlobalLoad ||
                                                op == Op::Image || op == Op::ScalarBufferLoad)
        return false;
    const Access a = accessOf(earlier), b = accessOf(later);
    std::vector<NodeId> operands(place(later).begin(), place(later).end());
    auto dataOf = [&](NodeId id) {
      auto all = m_program.operandsOf(m_program.nodes[id]);
      return all.subspan(place(id).size());
    };
    std::vector<NodeId> data;
    Access merged = b;
    if (first.op == Op::LdsStore) {
      if (a.opcode != Opcode::DsWriteB32 || b.opcode != Opcode::DsWriteB32 || !fitsPair(a.offset) ||
          !fitsPair(b.offset) || a.offset == b.offset)
        return false;
      data = {dataOf(earlier)[0], dataOf(later)[0]};
      merged.opcode = Opcode::DsWrite2B32;
      merged.offset = a.offset / 4 | b.offset / 4 << 8;
    } else {
      if (!isPlainStore(a.opcode) || !isPlainStore(b.opcode) || a.isSwizzled || b.isSwizzled ||
          a.dwords + b.dwords > int(MaxVectorDwords))
        return false;
      const bool isUp = a.offset + 4 * a.dwords == b.offset;
      if (!isUp && b.offset + 4 * b.dwords != a.offset)
        return false;
      const NodeId low = isUp ? earlier : later, high = isUp ? later : earlier;
      data.assign(dataOf(low).begin(), dataOf(low).end());
      data.insert(data.end(), dataOf(high).begin(), dataOf(high).end());
      static constexpr Opcode opcodes[] = {Opcode::BufferStoreDword, Opcode::BufferStoreDwordx2,
                                           Opcode::BufferStoreDwordx3, Opcode::BufferStoreDwordx4};
      merged.offset = std::min(a.offset, b.offset);
      merged.opcode = opcodes[data.size() - 1];
    }
    merged.dwords = uint8_t(data.size());
    operands.insert(operands.end(), data.begin(), data.end());
    accessOf(later) = merged;
    Node &node = m_program.nodes[later];
    node.a[0] = uint32_t(m_program.lists.size());
    node.count = uint16_t(operands.size());
    m_program.lists.insert(m_program.lists.end(), operands.begin(), operands.end());
    m_program.nodes[earlier].count = 0;
    m_program.nodes[earlier].a[0] = NoNode;
    return true;
  }

  Program &m_program;
};

} // namespace

void mergeAccesses(Program &program) {
  Merger(program).run();
}

} // namespace dovetail::first
