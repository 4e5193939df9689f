// SPDX-License-Identifier: MIT
//
// Deliberately broken images must be caught. A subject is a sound image with a scene that it draws. A mutant is the
// same image after one of its parts was broken, as a faulty compiler or cache would have delivered it, and all parts
// were joined again. So the join itself and checkImage() see consistent parts. A mutant is caught if the join refuses
// it, if checkImage() finds a defect, if the emulator traps, or if the result is not bit for bit the same.
#pragma once

#include "merge/join.h"
#include "tools/proof/scene/scene.h"
#include "variants/bind/device.h"
#include <span>
#include <string>
#include <vector>

namespace dovetail::mutations {

using Stages = std::vector<StageParts>;

struct Subject {
  std::string name;
  ShaderSet shaders;
  std::vector<Scene> scenes; // with the same canonical state, but other data
  TargetInfo target;
  Stages stages;
  ImageRef image;
  bool isFirstCode = false;         // a main part is
  std::vector<SceneResult> results; // of the sound image, by scene
};

enum class MutationKind : uint8_t {
  Wait,             // an s_waitcnt becomes an s_nop
  JoinNop,          // the join does not put in an s_nop that it needs
  ContractRegister, // two neighbouring registers of a contract change places: in the contract, or in the code
  ShorterPart,      // a part lacks its last instruction
  Relocation,       // a pointer to constants is 4 bytes too high or too low
  GlueExec,         // the glue of a merged program counts lanes wrongly, or does not set EXEC
  GlueMove,         // the glue does not move a register, or takes its neighbour's
  GlueBranch,       // a branch or an end in the glue is missing
  FloatMode,        // the glue does not set MODE, or sets it to another value
  Barrier,          // an s_barrier becomes an s_nop
  GsMessage,        // a geometry wave's message is dropped, sent twice, or another one
  LinkConstant,     // a number that the join fills in is one too high or too low, or 16 bytes
  CopyLoad,         // the copy shader loads 4 bytes beside the right place
  Interlock,        // a wave does not wait for an ordered section, or leaves it twice, or never
};
constexpr unsigned MutationKindCount = 14;
std::string_view toString(MutationKind kind);

// Explains survivors: stages that draw the same as the subject only if the explanation holds.
struct Probe {
  std::string explanation;
  Stages stages;
};

struct Mutant {
  MutationKind kind;
  std::string what; // "ps.fragment_main 0x34: s_waitcnt vmcnt(0)"
  Stages stages;
  // The stages before the mutation, if they are not the subject's own. They must draw the same as the subject.
  Stages before = {};
  // Why the mutation cannot be seen, if that is known without running it. Such a place does not matter: it is listed
  // but not counted.
  std::string equivalent = {};
  std::vector<Probe> probes = {};
};

// All places of one kind in a subject. Each file tells what counts as a place.
std::vector<Mutant> dropWaits(const Subject &subject);        // drop_waits.cpp
std::vector<Mutant> dropJoinNops(const Subject &subject);     // drop_join_nops.cpp
std::vector<Mutant> swapContracts(const Subject &subject);    // swap_contracts.cpp
std::vector<Mutant> shortenParts(const Subject &subject);     // shorten_parts.cpp
std::vector<Mutant> shiftRelocations(const Subject &subject); // shift_relocations.cpp
std::vector<Mutant> breakGlue(const Subject &subject);        // break_glue.cpp
std::vector<Mutant> dropBarriers(const Subject &subject);     // break_messages.cpp
std::vector<Mutant> breakMessages(const Subject &subject);    // break_messages.cpp
std::vector<Mutant> changeConstants(const Subject &subject);  // change_constants.cpp
std::vector<Mutant> shiftCopyLoads(const Subject &subject);   // change_constants.cpp
std::vector<Mutant> breakInterlocks(const Subject &subject);  // break_interlocks.cpp
std::vector<Mutant> allMutants(const Subject &subject);

// The state is one of makeScene()'s random ones, but shows all that the shaders write: triangles, no blending, all
// channels. `tier`: of the main parts. Errors: those of bind() and emulate(); CheckFailed if the image is not sound.
Result<Subject> makeSubject(Device &device, const std::string &name, const ShaderSet &shaders, uint64_t seed,
                            CodeTier tier = CodeTier::Llvm);

// Compares bit for bit.
bool isSame(const SceneResult &a, const SceneResult &b);

enum class Outcome : uint8_t { Refused, Defect, Trap, Picture, Survived };
constexpr unsigned OutcomeCount = 5;
std::string_view toString(Outcome outcome);

struct Verdict {
  Outcome outcome;
  std::string text; // the first defect, the trap, …
};
// Errors: CheckFailed if the stages before the mutation do not draw the same as the subject.
Result<Verdict> judge(const Subject &subject, const Mutant &mutant);

// Runs the joined stages, without a check of the image. Errors: those of join().
Result<Outcome> drawAll(const Subject &subject, const Stages &stages);

} // namespace dovetail::mutations
