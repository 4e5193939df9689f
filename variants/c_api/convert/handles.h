// SPDX-License-Identifier: MIT
//
// The structs behind C's handles. A variant's handle is the Variant itself, so that binds allocate nothing to hand it
// out.
#pragma once

#include "parts/compile/line_table.h"
#include "variants/bind/binder.h"
#include "variants/bind/device.h"
#include "variants/c_api/convert/allocation.h"
#include "variants/c_api/convert/failure.h"
#include "variants/c_api/convert/plain_state.h"
#include <atomic>
#include <optional>

struct dovetail_device {
  explicit dovetail_device(const dovetail_allocator &functions) : allocator(functions) {}

  dovetail::c_api::Allocator allocator;
  // Shaders, programs, states, uniforms, binders and source lines that were made from the device. They must go before
  // it.
  std::atomic<uint64_t> handles = 0;
  // Destroyed first: a publication callback that its destructor waits for may still make a binder.
  std::unique_ptr<dovetail::Device> device;
};

namespace dovetail::c_api {

inline dovetail_code_tier toTier(CodeTier tier) {
  return tier == CodeTier::Llvm ? DOVETAIL_TIER_LLVM : DOVETAIL_TIER_FIRST_CODE;
}

// An object that its device counts.
class OfDevice {
public:
  OfDevice(dovetail_device &device) : m_device(device) { ++m_device.handles; }
  ~OfDevice() { --m_device.handles; }
  OfDevice(const OfDevice &) = delete;
  OfDevice &operator=(const OfDevice &) = delete;

  dovetail_device &get() const { return m_device; }

private:
  dovetail_device &m_device;
};

} // namespace dovetail::c_api

struct dovetail_shader {
  dovetail::c_api::OfDevice owner;
  dovetail::ShaderRef shader;
};

struct dovetail_program {
  dovetail::c_api::OfDevice owner;
  dovetail::ProgramRef program;
  dovetail::StateRef defaultState;
};

struct dovetail_state {
  dovetail::c_api::OfDevice owner;
  dovetail::StateRef state;
  // As C sees them (dovetail_state_get()).
  std::vector<dovetail_vertex_binding> vertexBindings;
  std::vector<dovetail_vertex_attribute> vertexAttributes;
};

struct dovetail_uniforms {
  dovetail::c_api::OfDevice owner;
  dovetail::UniformValuesRef values;
};

struct dovetail_source_lines {
  dovetail::c_api::OfDevice owner;
  dovetail::VariantRef variant;
  std::vector<dovetail::CodeLine> lines; // the rows point to their file names
  std::vector<dovetail_source_line> rows;
  std::vector<uint32_t> partEnds; // for each row
};

struct dovetail_binder {
  explicit dovetail_binder(dovetail_device &device) : owner(device), binder(*device.device) {}

  dovetail::c_api::OfDevice owner;
  dovetail::Binder binder;
  dovetail::c_api::PlainState plainState; // of dovetail_bind_pipeline_state()
};

namespace dovetail::c_api {

inline const dovetail_variant *toHandle(const Variant *variant) {
  return reinterpret_cast<const dovetail_variant *>(variant);
}

inline const Variant *fromHandle(const dovetail_variant *variant) {
  return reinterpret_cast<const Variant *>(variant);
}

// Makes a handle that counts at its device.
template <typename Handle, typename... Args> Handle *makeHandle(dovetail_device &device, Args &&...args) {
  return device.allocator.make<Handle>(device, std::forward<Args>(args)...);
}

template <typename Handle> void destroyHandle(Handle *handle) {
  if (!handle)
    return;
  // Copied: the device may go as soon as the handle does not count any more.
  const Allocator allocator = handle->owner.get().allocator;
  allocator.destroy(handle);
}

} // namespace dovetail::c_api
