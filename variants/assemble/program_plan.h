// SPDX-License-Identifier: MIT
//
// ProgramPlan: what the joined variants of one program have in common that have the same main parts. It is made of the
// first of them, and the program keeps it. From then on, a variant for a new state takes a look-up for each piece of
// the state (state_table.h), and the join. No main part is looked up, and nothing is hashed that was hashed before.
#pragma once

#include "merge/join.h"
#include "parts/cache/part_maker.h"
#include "variants/assemble/known_pieces.h"
#include "variants/shader.h"
#include "variants/state/canonicalize.h"
#include "variants/state/state_table.h"
#include "variants/variant.h"
#include <boost/container/static_vector.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace dovetail {

// A state as a bind gives it.
struct GivenState {
  const PipelineState &fields;
  const StateHashes &hashes; // hashState() of them
};

// Thread-safe.
class ProgramPlan {
public:
  // `joined`: the variant of the shaders under a state, without a monolithic part. `device`: a number that no other
  // device has.
  ProgramPlan(uint64_t device, const ShaderSet &shaders, const PipelineState &canonicalState, const Image &joined);

  // Whose parts these are, and what states the main parts are for.
  uint64_t device() const { return m_device; }
  const MainPartStates &mainPartStates() const { return m_mainPartStates; }

  // The program's other plans.
  const ProgramPlan *next() const { return m_next; }
  void setNext(const ProgramPlan *next) { m_next = next; }

  // What the rest of a state (StatePiece::Rest) is for this program.
  struct KnownRest {
    Hash128 given;                            // hash of the piece as it was given
    Hash128 canonical;                        // and when it is canonical
    PipelineState fields;                     // canonical; vertex input and colour output are as of no state
    std::array<PartRef, PartKindCount> parts; // of the kinds that depend on the rest; nullptr: it takes none
    bool isOfOthers = false;                  // it asks for other main parts, or is an Error; nothing else is filled in
  };
  struct StateParts {
    StateHashes canonical;
    std::shared_ptr<const KnownRest> rest;
    PartRef ofVertexInput, ofColorOutput; // of the kinds that depend on these pieces; nullptr: there is none

    // nullptr: there is none, or no state is asked for it.
    const PartRef &part(PartKind kind) const;
  };
  // The parts that a state asks for. Nothing if it asks for other main parts, or if it is an Error: buildVariant() is
  // to be asked then. `shaders`: those of the program.
  std::optional<StateParts> findParts(PartMaker &maker, KnownPieces &known, const ShaderSet &shaders,
                                      const GivenState &state) const;

  // Errors: those of mergeHalves() and of join().
  Result<VariantRef> join(PartMaker &maker, const VariantKey &key, const StateParts &parts) const;

private:
  // A hardware program without what the state puts into it: main parts, and what has no state (the epilog of control
  // shaders, copy shaders, the null fragment shader).
  struct PlannedProgram {
    HardwareStage stage = HardwareStage::Vs;
    boost::container::static_vector<PartRef, MaxPartsPerStage> parts;
    uint8_t secondHalf = 0; // merged programs: which of them begins the second half; else 0
  };
  // What main parts need of a kind of part that depends on a piece of its own.
  struct Needs {
    PartKind kind = PartKind::VertexProlog;
    bool isThere = false;      // there is such a main part
    ShaderInterface interface; // of the main part as far as the part depends on it; the rest is as of no shader
    Hash128 hash;              // of it, and of what decides which of the state's fields it sees
  };
  std::optional<KnownPiece> findPiece(PartMaker &maker, KnownPieces &known, const ShaderSet &shaders,
                                      const GivenState &state, const Needs &needs, Hash128 StateHashes::*piece) const;
  std::shared_ptr<const KnownRest> findRest(PartMaker &maker, const ShaderSet &shaders, const GivenState &state) const;
  std::shared_ptr<const KnownRest> makeRest(PartMaker &maker, const ShaderSet &shaders, const GivenState &state) const;

  const uint64_t m_device;
  const ProgramPlan *m_next = nullptr;
  ApiShaderHashes m_apiShaders;
  ResourceLayoutRef m_layout;
  MainPartStates m_mainPartStates; // that the main parts are for
  boost::container::static_vector<PlannedProgram, MaxStagesPerImage> m_programs;
  Needs m_vertex, m_fragment;
  std::array<PartRef, PartKindCount> m_mains; // by kind; nullptr: there is none

  // Few at a time.
  mutable std::mutex m_restsMutex; // guards what follows
  mutable std::vector<std::shared_ptr<const KnownRest>> m_rests;
  mutable size_t m_nextRest = 0; // which goes for the next new one
};

} // namespace dovetail
