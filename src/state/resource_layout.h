// SPDX-License-Identifier: MIT
//
// A ResourceLayout is a pipeline layout made ready for look-ups. It gives the values of the layout constants in code
// (abi/layout_constant.h), and the root dwords that the driver is asked to put into user SGPRs.
#pragma once

#include "src/abi/interface/layout_constant.h"
#include "src/abi/value.h"
#include "src/base/error.h"
#include "src/state/user_data_nodes.h"
#include <memory>
#include <optional>

namespace dovetail {

// Immutable.
class ResourceLayout {
public:
  explicit ResourceLayout(UserDataNodes nodes, std::vector<uint32_t> immutableSamplers = {});

  // The nodes and dwords as the caller gave them. The dwords are those of nodes that are in the layout itself
  // (isInLayout()).
  const UserDataNodes &nodes() const { return m_nodes; }
  const std::vector<uint32_t> &immutableSamplers() const { return m_immutableSamplers; }

  // The value of a layout constant. Errors: StateMismatch, naming set and binding, if the layout has no node for it or
  // one of another type.
  Result<uint32_t> valueOf(const LayoutConstant &constant) const;

  // The root dword that a user SGPR of this kind holds. Errors: StateMismatch.
  Result<uint32_t> rootDwordOf(const ValueName &value) const;

  // The node that serves a shader that reads the binding as this kind. Errors: StateMismatch.
  Result<const UserDataNode *> find(ResourceKind resource, uint32_t set, uint32_t binding) const;

  // nullptr if the layout has none.
  const UserDataNode *pushConstants() const { return m_pushConstants; }

private:
  struct Place {
    uint64_t setAndBinding;
    uint32_t node;

    auto operator<=>(const Place &) const = default;
  };

  const UserDataNode *findTable(uint32_t set) const;

  UserDataNodes m_nodes;
  std::vector<uint32_t> m_immutableSamplers;
  std::vector<Place> m_places; // of the elements of tables; sorted by set and binding, otherwise in the given order
  std::vector<Place> m_tables; // sorted by set
  const UserDataNode *m_pushConstants = nullptr;
};

using ResourceLayoutRef = std::shared_ptr<const ResourceLayout>;

} // namespace dovetail
