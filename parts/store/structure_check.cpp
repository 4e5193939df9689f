// SPDX-License-Identifier: MIT
#include "parts/store/structure_check.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace dovetail::store {

namespace {

uint64_t number(Bytes bytes, size_t index) {
  uint64_t value;
  std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
  return value;
}

class Checker {
public:
  Checker(FileView file, const Snapshot &snapshot)
      : m_file(file), m_snapshot(snapshot), m_seen(snapshot.lastPage + 1), m_free(snapshot.lastPage + 1) {}

  StructureReport run() {
    m_report.pages = m_snapshot.lastPage + 1;
    m_seen.add(0);
    m_seen.add(1);
    checkTree("data", m_snapshot.data, KeyOrder::Bytes, {});
    freeList();
    for (uint64_t page = 0; page <= m_snapshot.lastPage; ++page) {
      if (m_free[page] && m_seen.seen[page])
        defect(fmt::format("page {} is free and used at once", page));
    }
    return std::move(m_report);
  }

  FreePages countFree() {
    freeList();
    return m_report.defects.empty() ? FreePages{m_report.freePages, m_report.freePages - m_justFreed} : FreePages();
  }

private:
  void freeList() {
    checkTree("free list", m_snapshot.freeList, KeyOrder::Number, [&](Bytes key, Bytes value) {
      record(number(key, 0), value);
      return true;
    });
  }

  void checkTree(const char *name, const Tree &tree, KeyOrder order, std::function<bool(Bytes, Bytes)> entry) {
    m_seen.branch = m_seen.leaf = m_seen.overflow = m_seen.entries = 0;
    walk(m_file, m_snapshot, tree, order, {}, m_seen, {.entry = std::move(entry), .defect = [&](std::string text) {
                                                         defect(fmt::format("{}: {}", name, std::move(text)));
                                                       }});
    if (m_seen.branch != tree.branchPages || m_seen.leaf != tree.leafPages || m_seen.overflow != tree.overflowPages ||
        m_seen.entries != tree.entries)
      defect(fmt::format("{}: the tree does not have as many pages and entries as it says", name));
  }

  // The pages that one transaction freed.
  void record(uint64_t transaction, Bytes value) {
    if (transaction > m_snapshot.transaction)
      return defect(fmt::format("free list: transaction {} has not been yet", transaction));
    if (value.size() < sizeof(uint64_t) || number(value, 0) > value.size() / sizeof(uint64_t) - 1)
      return defect(fmt::format("free list: what transaction {} freed is longer than its record", transaction));
    uint64_t count = number(value, 0);
    for (uint64_t i = 1; i <= count; ++i) {
      uint64_t page = number(value, i);
      if (page < 2 || page > m_snapshot.lastPage || (i > 1 && page >= number(value, i - 1)) || m_free[page])
        return defect(fmt::format("free list: page {} is out of order", page));
      m_free[page] = true;
    }
    m_report.freePages += count;
    if (transaction == m_snapshot.transaction)
      m_justFreed += count;
  }

  void defect(std::string text) {
    if (m_report.defects.size() < StructureReport::MaxDefects)
      m_report.defects.push_back(std::move(text));
  }

  FileView m_file;
  const Snapshot &m_snapshot;
  SeenPages m_seen;
  std::vector<bool> m_free;
  uint64_t m_justFreed = 0;
  StructureReport m_report;
};

} // namespace

StructureReport checkStructure(FileView file, const Snapshot &snapshot) {
  return Checker(file, snapshot).run();
}

FreePages countFreePages(FileView file, const Snapshot &snapshot) {
  return Checker(file, snapshot).countFree();
}

} // namespace dovetail::store
