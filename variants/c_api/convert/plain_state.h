// SPDX-License-Identifier: MIT
//
// A driver that keeps its state in one plain struct binds with it again and again, mostly unchanged. So each binder
// remembers the last struct: an unchanged one then costs a compare instead of reading and hashing all fields.
#pragma once

#include "variants/c_api/convert/failure.h"
#include "variants/state/state.h"
#include <vector>

namespace dovetail::c_api {

// Errors: those of dovetail_state_create(). `name`: the struct's name in messages.
Outcome<StateRef> makeStateOf(const dovetail_pipeline_state &given, const char *name);

// Belongs to one binder, which one thread uses at a time.
class PlainState {
public:
  // The state that the struct describes; valid until the next call. Errors: those of makeStateOf(), and of structs of a
  // wrong size.
  Outcome<const StateRef *> read(const dovetail_pipeline_state *given, const char *name);

private:
  bool isLast(const dovetail_pipeline_state &given) const;

  // The last struct, without its arrays.
  dovetail_pipeline_state m_fields = {};
  std::vector<dovetail_vertex_binding> m_bindings;
  std::vector<dovetail_vertex_attribute> m_attributes;
  StateRef m_state; // nullptr: no last struct, or memory ran out
};

} // namespace dovetail::c_api
