// SPDX-License-Identifier: MIT
//
// Places: every two neighbouring inputs of a part's contract in the same register bank, in two ways. In one mutant only
// the contract exchanges them, as if the parts had been compiled for different layouts. In the other the contracts
// stay, and the values are exchanged where the part begins, as if the part before (or the driver) had been compiled for
// the other layout: no proof by names can see that.
//
// An exchange does not matter if this part and those behind it write both registers before they read them.
#include "tests/mutations/edit_part.h"
#include "tests/mutations/stage_program.h"
#include <algorithm>

namespace dovetail::mutations {

namespace {

// VCC is free where a part begins. GFX8 has no v_swap.
std::string exchange(Register a, Register b, bool hasSwap) {
  if (a.bank == RegisterBank::Vgpr && hasSwap)
    return fmt::format("v_swap_b32 v{}, v{}", a.index, b.index);
  if (a.bank == RegisterBank::Vgpr)
    return fmt::format("v_xor_b32 v{0}, v{0}, v{1}\nv_xor_b32 v{1}, v{0}, v{1}\nv_xor_b32 v{0}, v{0}, v{1}", a.index,
                       b.index);
  return fmt::format("s_mov_b32 vcc_lo, s{0}\ns_mov_b32 s{0}, s{1}\ns_mov_b32 s{1}, vcc_lo", a.index, b.index);
}

// Stops the wave if the registers differ: the instruction behind the branch does not exist.
std::string compare(Register a, Register b) {
  std::string branch = a.bank == RegisterBank::Vgpr
                           ? fmt::format("v_cmp_ne_u32 vcc, v{}, v{}\ns_cbranch_vccz same", a.index, b.index)
                           : fmt::format("s_cmp_lg_u32 s{}, s{}\ns_cbranch_scc0 same", a.index, b.index);
  return branch + "\ns_setkill 1\nsame:";
}

} // namespace

std::vector<Mutant> swapContracts(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    StageProgram program = programOf(subject, stage);
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      std::vector<Binding> inputs = subject.stages[stage].parts[index]->contract.inputs;
      std::sort(inputs.begin(), inputs.end(), [](const Binding &a, const Binding &b) { return a.reg < b.reg; });
      for (size_t i = 0; i + 1 < inputs.size(); ++i) {
        const Binding &a = inputs[i], &b = inputs[i + 1];
        if (a.reg.bank != b.reg.bank)
          continue;
        std::string what = fmt::format("{}: {} {} and {} {}", partName(subject.stages, stage, index), toString(a.reg),
                                       toString(a.value), toString(b.reg), toString(b.value));

        EditedPart named = editPart(subject.stages, stage, index);
        for (Binding &input : named.part->contract.inputs) {
          if (input == a)
            input.reg = b.reg;
          else if (input == b)
            input.reg = a.reg;
        }
        mutants.push_back({MutationKind::ContractRegister, what + ", in the contract", std::move(named.stages)});

        EditedPart moved = editPart(subject.stages, stage, index);
        // Glue begins with any EXEC.
        const bool isGlue = moved.part->key.kind == PartKind::Glue;
        const std::string_view allLanes = isGlue ? "s_mov_b64 exec, -1\n" : "";
        prepend(*moved.part, fmt::format("{}{}", allLanes, exchange(a.reg, b.reg, subject.target.hasMergedStages)),
                gpu);
        std::string equivalent;
        if (!isLive(program, program.firstOfPart[index], a.reg) && !isLive(program, program.firstOfPart[index], b.reg))
          equivalent = "both registers are written before they are read";
        EditedPart compared = editPart(subject.stages, stage, index);
        prepend(*compared.part, fmt::format("{}{}", allLanes, compare(a.reg, b.reg)), gpu);
        mutants.push_back({MutationKind::ContractRegister,
                           what + ", in the code",
                           std::move(moved.stages),
                           {},
                           equivalent,
                           {{"both registers hold the same in all lanes of all scenes", std::move(compared.stages)}}});
      }
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
