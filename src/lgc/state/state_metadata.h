// SPDX-License-Identifier: MIT
//
// State in IR metadata. A struct is written as one metadata node of i32 constants, one (or two, for 64 bits) per field.
// Each struct lists its fields once, in a function `forEachField(struct, visitor)`; the writer and the reader are
// visitors of that one list, so what is written is what is read.
#pragma once

#include <bit>
#include <cstdint>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <type_traits>

namespace llvm {
class LLVMContext;
class MDNode;
class Module;
} // namespace llvm

namespace lgc {

using StateWords = llvm::SmallVector<uint32_t, 32>;

// Appends each visited field to a list of words.
class WordWriter {
public:
  explicit WordWriter(StateWords &words) : m_words(words) {}
  template <typename T> void operator()(const T &field) {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>);
    static_assert(sizeof(T) <= 4);
    m_words.push_back(static_cast<uint32_t>(field));
  }

private:
  StateWords &m_words;
};

// Takes each visited field from a list of words. A list that is too short makes ok() false and leaves the rest of the
// fields alone.
class WordReader {
public:
  explicit WordReader(llvm::ArrayRef<uint32_t> words) : m_words(words) {}
  template <typename T> void operator()(T &field) {
    if (m_words.empty()) {
      m_ok = false;
      return;
    }
    field = static_cast<T>(m_words.front());
    m_words = m_words.drop_front();
  }
  // Every word was wanted and there.
  bool ok() const { return m_ok && m_words.empty(); }

private:
  llvm::ArrayRef<uint32_t> m_words;
  bool m_ok = true;
};

template <typename T> StateWords toWords(const T &state) {
  StateWords words;
  WordWriter writer(words);
  forEachField(const_cast<T &>(state), writer);
  return words;
}

template <typename T> bool fromWords(llvm::ArrayRef<uint32_t> words, T &state) {
  WordReader reader(words);
  forEachField(state, reader);
  return reader.ok();
}

// Replaces the named metadata by one node for each element of `nodes`; no metadata for no nodes.
void writeNamedWords(llvm::Module &module, llvm::StringRef name, llvm::ArrayRef<StateWords> nodes);
// Reads the nodes back. False if the metadata is malformed; absent metadata gives no nodes.
bool readNamedWords(const llvm::Module &module, llvm::StringRef name, llvm::SmallVectorImpl<StateWords> &nodes);

} // namespace lgc
