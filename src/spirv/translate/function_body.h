// SPDX-License-Identifier: MIT
//
// The body of a function at one call: its blocks, branches and returns. Each call of a SPIR-V function gets LLVM blocks
// of its own. Only reachable blocks are translated: SPIR-V orders blocks so that a definition comes before its uses.
//
// In SPIR-V, a branch on an undefined value goes either way. In LLVM it is undefined behaviour: everything behind it
// counts as unreachable, defined outputs included. So the condition is frozen.
#pragma once

#include "src/spirv/translate/phis.h"
#include <unordered_set>

namespace dovetail::spirv {

class Functions;

class FunctionBody {
public:
  // Refers to its arguments, which must outlive it; the values are copied.
  FunctionBody(Functions &functions, Services &services, const Function &function, std::span<const IdValue> arguments);

  // Translates the body behind the Builder's insertion point, which is then where the function has returned. Gives the
  // value, pointer or image that the function returns; nothing if it returns none. Call it once. Error: Unsupported,
  // or that of an instruction.
  Result<IdValue> translate();

private:
  using Stretch = VariableValues::Stretch;

  // Makes the LLVM block and the stretch of each reachable block.
  void createBlocks();
  Result<void> translateBlock(const Block &block);
  // Notes what the loop may store to.
  void enterLoop(Stretch &head, const Loop &loop);
  Result<void> translateTerminator(const Instruction &inst);
  // Branches to a stretch behind the innermost loop, if there is one. `kills`: the lane ends here.
  void leaveLoop(Stretch &target, bool kills = false);
  Result<void> returnValue(const Instruction &inst);
  // What all returns return, joined.
  Result<IdValue> joinReturns();

  // Calls (calls.cpp).
  Result<void> translateCall(const Instruction &inst);
  // Whether a load or store belongs to a copy that the call replaces: the call was given the original, or makes the
  // copy itself.
  bool isLeftToCall(const Instruction &inst) const;
  Result<std::vector<IdValue>> callArguments(const Instruction &call);

  Functions &m_functions;
  Services &m_services;
  lgc::Builder &m_builder;
  const Function &m_function;
  const FunctionFacts &m_facts;
  std::unordered_set<uint32_t> m_shared; // variables of the copies whose original a call was given
  ValueScope m_scope;
  BlockMap m_blocks;
  std::unordered_map<uint32_t, const Loop *> m_innermost; // loops; only if the shader reconverges maximally
  Phis m_phis;
  Stretch *m_return = nullptr; // where the function has returned
  bool m_hasSeveralReturns = false;
  std::shared_ptr<const Pointer> m_returnMemory;                          // a large composite of several returns
  llvm::SmallVector<std::pair<IdValue, llvm::BasicBlock *>, 4> m_returns; // the values that reach m_return
};

} // namespace dovetail::spirv
