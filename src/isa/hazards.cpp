// SPDX-License-Identifier: MIT
#include "src/isa/hazards.h"
#include <iterator>

namespace dovetail::isa {

namespace {

struct HazardRow {
  Hazard hazard;
  uint8_t waitStates;
  const char *text;
};

// The manual's table in section 4.5 for the Vega generation, row by row, each with the function of LLVM's
// GCNHazardRecognizer that has the same number; ACO has them in handle_instruction_gfx6 (aco_insert_NOPs.cpp). The
// manual's row on mixed use of VCC by name and by SGPR number cannot occur: a compiler never allocates the number under
// which VCC is an SGPR. docs/hardware-facts.md shows that the list is complete.
constexpr HazardRow HazardRows[] = {
    // "VALU writes SGPR -> VMEM reads that SGPR". LLVM: VMEM read of SGPR, checkVMEMHazards.
    {Hazard::ValuWritesSgprThenVmemReadsIt, 5, "VALU writes an SGPR, then VMEM reads it"},
    // "VALU writes VCC (including v_div_scale) -> V_DIV_FMAS". LLVM: checkDivFMasHazards.
    {Hazard::ValuWritesVccThenDivFmas, 4, "VALU writes VCC, then v_div_fmas"},
    // "VALU writes SGPR/VCC -> v_{read,write}lane using that SGPR/VCC as the lane select". LLVM: checkRWLaneHazards.
    {Hazard::ValuWritesSgprThenLaneSelectReadsIt, 4,
     "VALU writes an SGPR, then v_readlane or v_writelane selects a lane by it"},
    // "VALU writes VGPR -> VALU DPP reads that VGPR". LLVM: checkDPPHazards.
    {Hazard::ValuWritesVgprThenDppReadsIt, 2, "VALU writes a VGPR, then DPP reads it"},
    // "VALU writes EXEC -> VALU DPP op". LLVM: checkDPPHazards.
    {Hazard::ValuWritesExecThenDpp, 5, "VALU writes EXEC, then DPP"},
    // "VALU that sets VCC or EXEC -> VALU that uses EXECZ or VCCZ as a data source". LLVM has no check: it never uses
    // them as data.
    {Hazard::ValuWritesVccOrExecThenReadsVcczExecz, 5, "VALU writes VCC or EXEC, then VCCZ or EXECZ is read as data"},
    // "SALU writes M0 -> GDS, S_SENDMSG or S_TTRACE_DATA", "-> LDS add-TID instruction, buffer_store_LDS_dword, scratch
    // or global with LDS = 1, VINTERP, LDS_direct", "-> S_MOVEREL". LLVM: checkReadM0Hazards.
    {Hazard::SaluWritesM0ThenInterpOrLdsOrMessage, 1,
     "SALU writes M0, then v_interp, LDS, GDS, s_movrel or a message uses it"},
    // "S_SETREG <*> -> S_GETREG <same reg>". LLVM: checkGetRegHazards.
    {Hazard::SetregThenGetregOfSameRegister, 2, "s_setreg, then s_getreg of the same register"},
    // "S_SETREG <*> -> S_SETREG <same reg>". LLVM: checkSetRegHazards.
    {Hazard::SetregThenSetregOfSameRegister, 2, "s_setreg, then s_setreg of the same register"},
    // "VMEM store of more than 64 bits -> write VGPRs holding writedata". Buffer stores with an SGPR offset are exempt,
    // and so are image stores with a 256-bit resource, which all are here. LLVM: checkVALUHazards, createsVALUHazard.
    {Hazard::WideVmemStoreThenValuWritesItsData, 1, "a VMEM store of more than 64 bits, then VALU overwrites its data"},
    // "S_SETREG MODE.vskip -> any vector op". LLVM has no check: it never sets VSKIP.
    {Hazard::SetregModeVskipThenVector, 2, "s_setreg of MODE.VSKIP, then a vector instruction"},
    // "S_SETREG TRAPSTS -> RFE, RFE_restore". LLVM: checkRFEHazards.
    {Hazard::SetregTrapstsThenRfe, 1, "s_setreg of TRAPSTS, then s_rfe"},
    // Not in the manual. LLVM: checkSoftClauseHazards; ACO: handle_smem_clause_hazards (aco_insert_NOPs.cpp), which has
    // SMEM only. A clause may come back out of order and be replayed. So none of its instructions may write a register
    // that it or another instruction of the clause reads, and no store may stand behind a load.
    {Hazard::ClauseWritesThenReads, 1, "memory access writes a register, then the next ones of its clause read it"},
    {Hazard::ClauseReadsThenWrites, 1, "memory access reads a register, then the next ones of its clause write it"},
    {Hazard::ClauseOverwritesItsOwnOperand, 1,
     "memory access overwrites its own operand, and is in a clause with others"},
    {Hazard::ClauseLoadsThenStores, 1, "load, then a store in its clause"},
};
static_assert(std::size(HazardRows) == HazardCount);

constexpr bool rowsAreInOrder() {
  for (unsigned i = 0; i < HazardCount; ++i)
    if (HazardRows[i].hazard != Hazard(i))
      return false;
  return true;
}
static_assert(rowsAreInOrder());

} // namespace

unsigned requiredWaitStates(Hazard hazard) {
  return HazardRows[unsigned(hazard)].waitStates;
}

const char *toString(Hazard hazard) {
  return HazardRows[unsigned(hazard)].text;
}

bool conflict(const HazardEdge &producer, const HazardEdge &consumer) {
  if (producer.hazard != consumer.hazard || producer.bank != consumer.bank)
    return false;
  if (producer.count == 0 || consumer.count == 0)
    return producer.first == consumer.first;
  return producer.first < consumer.first + consumer.count && consumer.first < producer.first + producer.count;
}

} // namespace dovetail::isa
