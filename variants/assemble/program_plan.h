// SPDX-License-Identifier: MIT
//
// ProgramPlan: everything that the joined variants of one program with the same main parts share. It is made of the
// such variant, and the program keeps it. From then on, a variant for a new state is made in one of two ways. Neither
// looks up a main part, makes a state canonical or makes a key of a part:
//
//   1. It is combined of the images of two variants, if the program was joined with the state's vertex input in one of
//      them and with its colour output in the other. This takes two look-ups (known_sides.h).
//   2. It is joined of the plan's main parts and of the parts for each piece of the state (state_table.h). This takes
//      one look-up for each piece (known_pieces.h).
#pragma once

#include "merge/join.h"
#include "parts/cache/part_maker.h"
#include "variants/assemble/known_pieces.h"
#include "variants/assemble/known_sides.h"
#include "variants/assemble/program.h"
#include "variants/shader.h"
#include "variants/state/canonicalize.h"
#include "variants/state/state_table.h"
#include "variants/variant.h"
#include <boost/container/static_vector.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace dovetail {

// A state as the caller of a bind gives it.
struct GivenState {
  const PipelineState &fields;
  const StateHashes &hashes; // hashState() of the fields
};

// What all plans of a device have found out about states. Thread-safe.
struct PlanMemory {
  std::function<VariantRef(const VariantKey &)> findVariant; // in the device's table; nullptr: it is not there
  std::function<uint64_t()> variantCount;
  KnownPieces pieces;
  KnownSides sides;
};

// Thread-safe.
class ProgramPlan {
public:
  // `joined`: the variant of the shaders under a state, without a monolithic part. `device`: a number that no other
  // device has.
  ProgramPlan(uint64_t device, const ShaderSet &shaders, const PipelineState &canonicalState, const Image &joined);

  // The device whose parts these are, and the states that the main parts are for.
  uint64_t device() const { return m_device; }
  const MainPartStates &mainPartStates() const { return m_mainPartStates; }
  // Whether a main part is first code.
  bool hasFirstCode() const;

  // The program's other plans.
  const ProgramPlan *next() const { return m_next; }
  void setNext(const ProgramPlan *next) { m_next = next; }

  // The meaning of the rest of a state (StatePiece::Rest) for this program.
  struct KnownRest {
    Hash128 given;                            // hash of the piece as it was given
    Hash128 canonical;                        // its hash in the canonical state
    PipelineState fields;                     // canonical; vertex input and colour output are empty
    std::array<PartRef, PartKindCount> parts; // the kinds that depend on the rest; nullptr: none is needed
    bool isOfOthers = false;                  // it needs other main parts, or is an Error; `parts` is empty then
  };
  struct StateParts {
    StateHashes canonical;
    std::shared_ptr<const KnownRest> rest;
    PartRef ofVertexInput, ofColorOutput; // of the kinds that depend on these pieces; nullptr: none is needed

    // nullptr: none is needed, or the kind does not depend on a state.
    const PartRef &part(PartKind kind) const;
  };
  // How the joined variant for a state is made.
  struct Recipe {
    VariantKey key;
    VariantRef front, pixel;         // the variants whose images are combined; nullptr: `parts` are joined
    std::optional<StateParts> parts; // otherwise
  };
  // Nothing if the state needs other main parts, or if it is an Error: then buildVariant() must be called. `program`:
  // the plan's.
  std::optional<Recipe> findRecipe(PartMaker &maker, PlanMemory &memory, const Program &program,
                                   const GivenState &state) const;

  // Errors: those of mergeHalves() and of join().
  Result<VariantRef> make(PartMaker &maker, const Recipe &recipe) const;

private:
  // A hardware program without the parts that depend on the state: main parts, and parts without state (the epilog of
  // control shaders, copy shaders, the null fragment shader).
  struct PlannedProgram {
    HardwareStage stage = HardwareStage::Vs;
    boost::container::static_vector<PartRef, MaxPartsPerStage> parts;
    uint8_t secondHalf = 0; // merged programs: the index of the part that begins the second half; else 0
  };
  // The needs of a main part for a kind of part that depends on a piece of its own.
  struct Needs {
    PartKind kind = PartKind::VertexProlog;
    bool isThere = false;      // whether the program has such a main part
    ShaderInterface interface; // the main part's, as far as the part depends on it; the rest is empty
    Hash128 hash;              // of the interface, and of all that decides which of the state's fields matter
  };
  std::optional<StateParts> findParts(PartMaker &maker, KnownPieces &known, const ShaderSet &shaders,
                                      const GivenState &state) const;
  std::optional<KnownPiece> findPiece(PartMaker &maker, KnownPieces &known, const ShaderSet &shaders,
                                      const GivenState &state, const Needs &needs, Hash128 StateHashes::*piece) const;
  std::shared_ptr<const KnownRest> findRest(PartMaker &maker, const ShaderSet &shaders, const GivenState &state) const;
  std::shared_ptr<const KnownRest> makeRest(PartMaker &maker, const ShaderSet &shaders, const GivenState &state) const;

  const uint64_t m_device;
  const ProgramPlan *m_next = nullptr;
  ApiShaderHashes m_apiShaders;
  ResourceLayoutRef m_layout;
  MainPartStates m_mainPartStates; // the states that the main parts are for
  boost::container::static_vector<PlannedProgram, MaxStagesPerImage> m_programs;
  Needs m_vertex, m_fragment;
  std::array<PartRef, PartKindCount> m_mains; // by kind; nullptr: there is none

  // Only a few of them.
  mutable std::mutex m_restsMutex; // guards the members below
  mutable std::vector<std::shared_ptr<const KnownRest>> m_rests;
  mutable size_t m_nextRest = 0; // the index of the one that the next new one replaces
};

} // namespace dovetail
