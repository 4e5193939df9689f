// SPDX-License-Identifier: MIT
//
// Structs with a list of fields (src/base/fields.h) as IR metadata, for people to read and for compiles to go on from.
// A struct is a node of names and values, without the fields that have their default value. A list is a node of its
// elements, a map one of keys and values in turn. Numbers are i32 constants (i64 for 64 bits).
//
//   !lgc.interface = !{!7}
//   !7 = !{!"hardwareStage", i32 5, !"inputs", !8, !"floatMode", i32 192}
//
// The metadata to read may be anything: an unknown field, a number that does not fit and an enumerator beyond the last
// one (lastOf) make it malformed.
#pragma once

#include "src/base/field_bytes.h"
#include <limits>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <map>
#include <set>
#include <utility>

namespace lgc {

namespace detail {

template <typename T> constexpr bool IsSetField = false;
template <typename T> constexpr bool IsSetField<std::set<T>> = true;
template <typename T> constexpr bool IsMapField = false;
template <typename K, typename V> constexpr bool IsMapField<std::map<K, V>> = true;
template <typename T> constexpr bool IsPairField = false;
template <typename A, typename B> constexpr bool IsPairField<std::pair<A, B>> = true;

} // namespace detail

class FieldMetadataWriter {
public:
  explicit FieldMetadataWriter(llvm::LLVMContext &context) : m_context(context) {}

  template <typename T> llvm::Metadata *write(const T &value) {
    llvm::SmallVector<llvm::Metadata *, 16> operands;
    if constexpr (dovetail::ScalarField<T>) {
      auto *type = llvm::IntegerType::get(m_context, sizeof(T) > 4 ? 64 : 32);
      return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, static_cast<uint64_t>(value)));
    } else if constexpr (detail::IsPairField<T>) {
      operands = {write(value.first), write(value.second)};
    } else if constexpr (detail::IsMapField<T>) {
      for (const auto &[key, element] : value)
        operands.append({write(key), write(element)});
    } else if constexpr (dovetail::IsListField<T> || detail::IsSetField<T>) {
      for (const auto &element : value)
        operands.push_back(write(element));
    } else if constexpr (dovetail::IsArrayField<T>) { // without the default elements at its end
      size_t count = value.size();
      while (count > 0 && value[count - 1] == typename T::value_type{})
        --count;
      for (size_t i = 0; i < count; ++i)
        operands.push_back(write(value[i]));
    } else {
      const T defaults{};
      forEachField(value, [&]<typename Field>(std::string_view name, const Field &field) {
        bool isEqual = false;
        forEachField(defaults, [&]<typename Other>(std::string_view otherName, const Other &other) {
          if constexpr (std::is_same_v<Other, Field>)
            isEqual |= otherName == name && other == field;
        });
        if (!isEqual)
          operands.append({llvm::MDString::get(m_context, llvm::StringRef(name)), write(field)});
      });
    }
    return llvm::MDNode::get(m_context, operands);
  }

private:
  llvm::LLVMContext &m_context;
};

class FieldMetadataReader {
public:
  // If the metadata is malformed, isGood() becomes false and the value is in some valid state.
  template <typename T> void read(const llvm::Metadata *metadata, T &value) {
    if constexpr (dovetail::ScalarField<T>) {
      readScalar(metadata, value);
    } else if constexpr (detail::IsPairField<T>) {
      const llvm::MDNode *node = nodeOf(metadata);
      if (!require(node && node->getNumOperands() == 2))
        return;
      read(node->getOperand(0), value.first);
      read(node->getOperand(1), value.second);
    } else if constexpr (detail::IsMapField<T>) {
      const llvm::MDNode *node = nodeOf(metadata);
      if (!require(node && node->getNumOperands() % 2 == 0))
        return;
      for (unsigned i = 0; i < node->getNumOperands(); i += 2) {
        std::pair<typename T::key_type, typename T::mapped_type> element{};
        read(node->getOperand(i), element.first);
        read(node->getOperand(i + 1), element.second);
        require(value.insert(element).second);
      }
    } else if constexpr (detail::IsSetField<T>) {
      for (const llvm::MDOperand &operand : operandsOf(metadata)) {
        typename T::value_type element{};
        read(operand, element);
        require(value.insert(element).second);
      }
    } else if constexpr (dovetail::IsListField<T>) {
      for (const llvm::MDOperand &operand : operandsOf(metadata))
        read(operand, value.emplace_back());
    } else if constexpr (dovetail::IsArrayField<T>) {
      size_t i = 0;
      for (const llvm::MDOperand &operand : operandsOf(metadata))
        if (require(i < value.size()))
          read(operand, value[i++]);
    } else {
      readStruct(metadata, value);
    }
  }

  bool isGood() const { return m_good; }

private:
  template <typename T> void readScalar(const llvm::Metadata *metadata, T &value) {
    auto *constant = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(metadata);
    if (!require(constant && constant->getBitWidth() == (sizeof(T) > 4 ? 64 : 32)))
      return;
    const uint64_t number = constant->getZExtValue();
    if constexpr (std::is_same_v<T, bool>) {
      require(number <= 1);
      value = number == 1;
    } else if constexpr (std::is_enum_v<T>) {
      value = require(number <= static_cast<uint64_t>(lastOf(T()))) ? static_cast<T>(number) : T();
    } else {
      static_assert(std::is_unsigned_v<T>);
      require(number <= std::numeric_limits<T>::max());
      value = static_cast<T>(number);
    }
  }

  template <typename T> void readStruct(const llvm::Metadata *metadata, T &value) {
    const llvm::MDNode *node = nodeOf(metadata);
    if (!require(node && node->getNumOperands() % 2 == 0))
      return;
    unsigned known = 0;
    forEachField(value, [&](std::string_view name, auto &field) {
      for (unsigned i = 0; i < node->getNumOperands(); i += 2) {
        auto *text = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i).get());
        if (!text || text->getString() != llvm::StringRef(name))
          continue;
        field = {}; // a name may be there twice
        read(node->getOperand(i + 1), field);
        ++known;
      }
    });
    require(known == node->getNumOperands() / 2);
  }

  static const llvm::MDNode *nodeOf(const llvm::Metadata *metadata) {
    return llvm::dyn_cast_or_null<llvm::MDNode>(metadata);
  }

  llvm::ArrayRef<llvm::MDOperand> operandsOf(const llvm::Metadata *metadata) {
    const llvm::MDNode *node = nodeOf(metadata);
    if (!require(node))
      return {};
    return {node->op_begin(), node->op_end()};
  }

  bool require(bool condition) {
    m_good &= condition;
    return condition;
  }

  bool m_good = true;
};

} // namespace lgc
