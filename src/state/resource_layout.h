// SPDX-License-Identifier: MIT
//
// ResourceLayout: a pipeline layout, made ready for look-ups. It says what the layout constants of code are
// (abi/layout_constant.h), and which root dwords the driver is asked to put into user SGPRs.
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

  // As they were given. The dwords are those of nodes that are in the layout itself (isInLayout()).
  const UserDataNodes &nodes() const { return m_nodes; }
  const std::vector<uint32_t> &immutableSamplers() const { return m_immutableSamplers; }

  // Errors: StateMismatch, naming set and binding, if there is no node for it or one of another type.
  Result<uint32_t> valueOf(const LayoutConstant &constant) const;

  // The root dword that a user SGPR of this kind holds. Errors: StateMismatch.
  Result<uint32_t> rootDwordOf(const ValueName &value) const;

  // The node that serves what reads a binding as this kind. Errors: StateMismatch.
  Result<const UserDataNode *> find(ResourceKind resource, uint32_t set, uint32_t binding) const;

  // nullptr: there are none.
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
  std::vector<Place> m_places; // of the elements of tables, sorted by set and binding, then as given
  std::vector<Place> m_tables; // sorted by set
  const UserDataNode *m_pushConstants = nullptr;
};

using ResourceLayoutRef = std::shared_ptr<const ResourceLayout>;

} // namespace dovetail
