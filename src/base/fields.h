// SPDX-License-Identifier: MIT
//
// Hashing, encoding and printing go through a struct field by field. DOVETAIL_FIELDS lists the fields once; bytes
// (field_bytes.h), which are hashed, and words (field_words.h) are made from the list. A field that is in the struct
// but not in the list does not compile where the list is used.
//
//   struct Point { int x = 0, y = 0; };
//   DOVETAIL_FIELDS(Point, x, y)          // in Point's namespace
//
// gives forEachField(point, visit), which calls visit("x", point.x), then visit("y", point.y), fieldsOf(&point), which
// is "Point", fieldNamesOf(&point), an array of "x" and "y", for tables with a row for each field, and
// tieFields(point), a tuple of references.
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace dovetail {

template <typename T>
concept HasFields = requires(const T *value) {
  { fieldsOf(value) } -> std::same_as<std::string_view>;
};

} // namespace dovetail

// Applies a macro to each argument; takes up to 80 arguments.
#define DOVETAIL_PARENTHESES ()
#define DOVETAIL_EXPAND(...) DOVETAIL_EXPAND3(DOVETAIL_EXPAND3(DOVETAIL_EXPAND3(__VA_ARGS__)))
#define DOVETAIL_EXPAND3(...) DOVETAIL_EXPAND2(DOVETAIL_EXPAND2(DOVETAIL_EXPAND2(__VA_ARGS__)))
#define DOVETAIL_EXPAND2(...) DOVETAIL_EXPAND1(DOVETAIL_EXPAND1(DOVETAIL_EXPAND1(__VA_ARGS__)))
#define DOVETAIL_EXPAND1(...) DOVETAIL_EXPAND0(DOVETAIL_EXPAND0(DOVETAIL_EXPAND0(__VA_ARGS__)))
#define DOVETAIL_EXPAND0(...) __VA_ARGS__
#define DOVETAIL_FOR_EACH(macro, ...) __VA_OPT__(DOVETAIL_EXPAND(DOVETAIL_FOR_EACH_STEP(macro, __VA_ARGS__)))
#define DOVETAIL_FOR_EACH_STEP(macro, first, ...)                                                                      \
  macro(first) __VA_OPT__(DOVETAIL_FOR_EACH_AGAIN DOVETAIL_PARENTHESES(macro, __VA_ARGS__))
#define DOVETAIL_FOR_EACH_AGAIN() DOVETAIL_FOR_EACH_STEP

#define DOVETAIL_FIELD_NAME(field) std::string_view(#field),
#define DOVETAIL_VISIT_FIELD(field) visit(std::string_view(#field), self.field);

// The structured binding makes the list complete: it must name every member.
#define DOVETAIL_FIELDS(Struct, ...)                                                                                   \
  constexpr std::string_view fieldsOf(const Struct *) {                                                                \
    return #Struct;                                                                                                    \
  }                                                                                                                    \
  constexpr auto fieldNamesOf(const Struct *) {                                                                        \
    return std::array{DOVETAIL_FOR_EACH(DOVETAIL_FIELD_NAME, __VA_ARGS__)};                                            \
  }                                                                                                                    \
  template <typename Self, typename Visit>                                                                             \
  requires std::same_as<std::remove_const_t<Self>, Struct>                                                             \
  constexpr void forEachField(Self &self, Visit &&visit) {                                                             \
    { [[maybe_unused]] auto &[__VA_ARGS__] = self; }                                                                   \
    DOVETAIL_FOR_EACH(DOVETAIL_VISIT_FIELD, __VA_ARGS__)                                                               \
  }                                                                                                                    \
  template <typename Self>                                                                                             \
  requires std::same_as<std::remove_const_t<Self>, Struct>                                                             \
  constexpr auto tieFields(Self &self) {                                                                               \
    auto &[__VA_ARGS__] = self;                                                                                        \
    return std::tie(__VA_ARGS__);                                                                                      \
  }

// Names the last enumerator of an enum, for what reads values of it: lastOf(Enum()) is that one.
#define DOVETAIL_LAST(Enum, enumerator)                                                                                \
  constexpr Enum lastOf(Enum) {                                                                                        \
    return Enum::enumerator;                                                                                           \
  }

// The same for a struct that adds one field to a base with a list. Here the size replaces the structured binding as the
// check, so a forgotten field that lies in padding is not found.
#define DOVETAIL_FIELDS_BEYOND(Struct, Base, field)                                                                    \
  constexpr std::string_view fieldsOf(const Struct *) {                                                                \
    return #Struct;                                                                                                    \
  }                                                                                                                    \
  template <typename Self, typename Visit>                                                                             \
  requires std::same_as<std::remove_const_t<Self>, Struct>                                                             \
  constexpr void forEachField(Self &self, Visit &&visit) {                                                             \
    struct Complete : Base {                                                                                           \
      decltype(Struct::field) last;                                                                                    \
    };                                                                                                                 \
    static_assert(sizeof(Complete) == sizeof(Struct));                                                                 \
    forEachField(static_cast<std::conditional_t<std::is_const_v<Self>, const Base, Base> &>(self), visit);             \
    visit(std::string_view(#field), self.field);                                                                       \
  }
