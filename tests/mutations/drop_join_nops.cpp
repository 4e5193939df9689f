// SPDX-License-Identifier: MIT
//
// Places: every join of two parts, with each of three hazards across it. Our programs have no such hazard by
// themselves, because compilers schedule address computations and moves away from the ends of parts. So the mutation
// plants it: the first part gets an instruction behind its last one, and the second part gets one in front of its first
// that is sensitive to it. Both touch only a register that nobody uses, so the picture stays the same. The join then
// puts an s_nop between the two. The mutation makes the first part conceal the hazard that it leaves pending, so the
// join puts in no s_nop. A part of a merged program's first half that uses one more register needs other glue.
#include "tests/mutations/edit_part.h"
#include <algorithm>

namespace dovetail::mutations {

namespace {

struct Planted {
  std::string_view hazard;
  std::string_view first, second; // {v}: a VGPR, {s}: an SGPR that nobody uses
};

constexpr Planted Hazards[] = {
    {"a VALU instruction writes a VGPR, then DPP reads it", "v_mov_b32 v{v}, 0",
     "v_mov_b32_dpp v{v}, v{v} quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf"},
    {"a VALU instruction writes an SGPR, then it selects a lane", "v_mov_b32 v{v}, 0\nv_readfirstlane_b32 s{s}, v{v}",
     "v_readlane_b32 s{s}, v{v}, s{s}"},
    {"a VALU instruction writes VCC, then v_div_fmas reads it", "v_mov_b32 v{v}, 0\nv_cmp_eq_u32 vcc, v{v}, v{v}",
     "v_div_fmas_f32 v{v}, v{v}, v{v}, v{v}"},
};

// SGPRs without VCC and the others that LLVM counts among them.
constexpr unsigned SpecialSgprs = 6, MaxSgprs = 96, MaxVgprs = 250;

} // namespace

std::vector<Mutant> dropJoinNops(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    const auto &parts = subject.stages[stage].parts;
    unsigned sgprs = 0, vgprs = 0;
    for (const PartRef &part : parts) {
      sgprs = std::max<unsigned>(sgprs, part->usage.sgprs);
      vgprs = std::max<unsigned>(vgprs, part->usage.vgprs);
    }
    if (sgprs > MaxSgprs || vgprs > MaxVgprs)
      continue;
    const size_t between = secondGlue(subject.stages[stage]);
    for (size_t second = 1; second < parts.size(); ++second) {
      for (const Planted &planted : Hazards) {
        auto plant = [&](Part &part, std::string_view text, auto add) {
          part.usage.sgprs = std::max(part.usage.sgprs, uint16_t(sgprs + 1 + SpecialSgprs));
          part.usage.numberedSgprs = std::max(part.usage.numberedSgprs, uint16_t(sgprs + 1));
          part.usage.vgprs = std::max(part.usage.vgprs, uint16_t(vgprs + 1));
          add(part, fmt::format(fmt::runtime(text), fmt::arg("v", vgprs), fmt::arg("s", sgprs)), gpu);
        };
        EditedPart behind = editPart(subject.stages, stage, second - 1);
        plant(*behind.part, planted.first, append);
        EditedPart inFront = editPart(behind.stages, stage, second);
        plant(*inFront.part, planted.second, prepend);
        if (between != 0 && second <= between) {
          Result<Stages> renewed = renewGlue(inFront.stages, stage, subject.target);
          if (!renewed)
            continue;
          // The new glue has no planted instructions.
          inFront = second == 1         ? editPart(*renewed, stage, 0)
                    : second == between ? editPart(*renewed, stage, second)
                                        : EditedPart{*renewed, nullptr};
          if (second == 1)
            plant(*inFront.part, planted.first, append);
          if (second == between) {
            plant(*inFront.part, planted.second, prepend);
            // Waves that skip the first half come here, too.
            inFront = editPart(inFront.stages, stage, 0);
            plant(*inFront.part, "s_mov_b64 exec, -1\nv_mov_b32 v{v}, 0\ns_mov_b32 s{s}, 0\ns_mov_b64 vcc, 0", prepend);
          }
        }

        EditedPart mutated = editPart(inFront.stages, stage, second - 1);
        mutated.part->hazards.pendingAtEnd.clear();
        mutants.push_back({MutationKind::JoinNop,
                           fmt::format("in front of {}: {}", partName(subject.stages, stage, second), planted.hazard),
                           std::move(mutated.stages), std::move(inFront.stages)});
      }
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
