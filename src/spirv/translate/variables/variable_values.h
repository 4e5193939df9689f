// SPDX-License-Identifier: MIT
//
// Variables as SSA values, made while a shader is translated (Braun et al., "Simple and Efficient Construction of
// Static Single Assignment Form", 2013). Each scalar and vector of a variable is a leaf. A write notes the leaf's
// value; a read finds the value that reaches it, and makes phis where several do.
//
// A stretch is a piece of code that control enters only at its start: a SPIR-V block, or what lies between two calls in
// one. It may have many LLVM blocks, which operations make inside. A stretch is open as long as not all edges to it are
// known. Only loops' heads are open while their code is translated, or blocks that a module lists in an unusual order.
#pragma once

#include "src/spirv/translate/context/context.h"
#include <deque>
#include <llvm/ADT/DenseMap.h>

namespace dovetail::spirv {

// Some leaves of one variable.
struct LeafRange {
  uint32_t first = 0;
  uint32_t count = 0;

  bool contains(uint32_t leaf) const { return leaf - first < count; }
};

class VariableValues {
public:
  struct Stretch;
  struct Edge {
    Stretch *from;
    llvm::Instruction *terminator;
  };
  struct Stretch {
    llvm::BasicBlock *start = nullptr; // which gets the phis
    unsigned openEdges = 0;            // that are not known yet
    llvm::SmallVector<Edge, 2> edges;
    llvm::SmallDenseMap<uint32_t, llvm::Value *, 4> values; // by leaf
    llvm::SmallVector<std::pair<uint32_t, llvm::PHINode *>, 0> openPhis;
    // Of a loop's head: what the loop may store to, and the number of edges from outside of the loop.
    bool isLoopHead = false;
    unsigned outerEdges = 0;
    std::vector<LeafRange> loopStores;
    std::vector<llvm::Instruction *> neverTaken; // terminators of further edges, which are never taken
    std::vector<llvm::PHINode *> phis;           // of a loop's head
    Stretch *dominator = nullptr;                // the nearest one; null if it is not known
    unsigned dominators = 0;
    bool isEnteredOpen = false;
    uint32_t end = 0; // the time at which the first edges from it were added
  };

  explicit VariableValues(Context &context) : m_context(context), m_builder(context.builder) {}

  // The leaves of a new variable. Their values are undefined.
  LeafRange declare(const TypeInfo &type);
  // In the current stretch.
  llvm::Value *read(uint32_t leaf) { return read(*m_current, leaf); }
  void write(uint32_t leaf, llvm::Value *value) {
    m_current->values[leaf] = value;
    m_lastWrites[leaf] = ++m_time;
  }

  // A stretch to which `edges` edges lead. It lives as long as this object.
  Stretch &create(llvm::BasicBlock *start, unsigned edges);
  // Code is translated into this stretch from now on.
  void enter(Stretch &stretch);
  // The stretch's other edges, if any, come from what it dominates itself.
  void findDominator(Stretch &stretch);
  Stretch &current() { return *m_current; }
  // The current stretch goes on behind the builder's insertion point, which is at the start of a block to which only
  // this terminator leads.
  void goOn(llvm::Instruction *terminator);
  // Adds an edge from the current stretch. The last one closes `to`. A terminator has at most one edge to a stretch.
  void branch(Stretch &to, llvm::Instruction *terminator);
  // All edges to the stretch are known.
  void close(Stretch &stretch);
  // An edge from a terminator to a loop's head that is never taken.
  void addNeverTaken(Stretch &loopHead, llvm::Instruction *terminator);

private:
  llvm::Value *read(Stretch &stretch, uint32_t leaf);
  llvm::Value *readAtMeeting(Stretch &stretch, uint32_t leaf);
  Stretch *dominatorWithSame(const Stretch &stretch, uint32_t leaf) const;
  llvm::PHINode *makePhi(Stretch &stretch, uint32_t leaf);
  void completePhi(Stretch &stretch, uint32_t leaf, llvm::PHINode &phi);

  Context &m_context;
  lgc::Builder &m_builder;
  std::vector<llvm::Type *> m_types;  // by leaf
  std::vector<uint32_t> m_lastWrites; // times, by leaf
  uint32_t m_time = 0;                // counts writes, and stretches that are entered open
  struct OpenEntry {
    const Stretch *stretch;
    uint32_t time;
  };
  std::vector<OpenEntry> m_openEntries; // of those that are still open
  std::deque<Stretch> m_stretches;
  Stretch *m_current = &create(m_context.entryBlock, 0);
  unsigned m_depth = 0; // of reads
  struct PendingPhi {
    Stretch *stretch;
    uint32_t leaf;
    llvm::PHINode *phi;
  };
  std::vector<PendingPhi> m_pending; // phis that a deep read has left incomplete
};

} // namespace dovetail::spirv
