// SPDX-License-Identifier: MIT
#include "parts/store/lmdb_pages.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace dovetail::store {

namespace {

constexpr uint32_t Magic = 0xBEEFC0DE;
constexpr uint32_t FormatVersion = 1;
constexpr uint16_t IntegerKey = 0x08; // MDB_INTEGERKEY, which the free list always is
constexpr size_t PageHeader = 16;
constexpr size_t NodeHeader = 8;
constexpr uint16_t BranchPage = 1, LeafPage = 2, OverflowPage = 4, MetaPage = 8;
constexpr uint16_t BigData = 1;
// LMDB's own limit (CURSOR_STACK).
constexpr unsigned MaxDepth = 32;

template <typename T> T read(const uint8_t *at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

Tree readTree(const uint8_t *at) {
  Tree tree;
  tree.flags = read<uint16_t>(at + 4);
  tree.depth = read<uint16_t>(at + 6);
  tree.branchPages = read<uint64_t>(at + 8);
  tree.leafPages = read<uint64_t>(at + 16);
  tree.overflowPages = read<uint64_t>(at + 24);
  tree.entries = read<uint64_t>(at + 32);
  tree.root = read<uint64_t>(at + 40);
  return tree;
}

// A page's bytes, if it is within the state and the file.
const uint8_t *pageAt(FileView file, const Snapshot &snapshot, uint64_t page) {
  if (page < 2 || page > snapshot.lastPage || page >= file.bytes / snapshot.pageSize)
    return nullptr;
  return file.data + page * snapshot.pageSize;
}

struct Node {
  const uint8_t *at = nullptr;
  size_t space = 0; // to the page's end

  uint32_t dataSize() const { return read<uint32_t>(at); }
  uint64_t child() const { return read<uint32_t>(at) | uint64_t(read<uint16_t>(at + 4)) << 32; }
  uint16_t flags() const { return read<uint16_t>(at + 4); }
  uint16_t keySize() const { return read<uint16_t>(at + 6); }
  Bytes key() const { return {at + NodeHeader, keySize()}; }
  const uint8_t *data() const { return at + NodeHeader + keySize(); }
};

// A page of a tree whose header was checked.
class TreePage {
public:
  static std::optional<TreePage> at(FileView file, const Snapshot &snapshot, uint64_t number) {
    const uint8_t *bytes = pageAt(file, snapshot, number);
    return bytes ? of({bytes, snapshot.pageSize}, number) : std::nullopt;
  }

  static std::optional<TreePage> of(Bytes page, uint64_t number) {
    const uint8_t *bytes = page.data();
    uint16_t flags = read<uint16_t>(bytes + 10);
    uint16_t lower = read<uint16_t>(bytes + 12), upper = read<uint16_t>(bytes + 14);
    if (read<uint64_t>(bytes) != number || (flags != BranchPage && flags != LeafPage) || lower < PageHeader + 2 ||
        lower % 2 != 0 || lower > upper || upper > page.size())
      return std::nullopt;
    TreePage result;
    result.m_bytes = bytes;
    result.m_pageSize = uint32_t(page.size());
    result.m_upper = upper;
    result.m_isBranch = flags == BranchPage;
    result.m_count = (lower - PageHeader) / 2;
    return result;
  }

  bool isBranch() const { return m_isBranch; }
  unsigned count() const { return m_count; }

  // The node, if it lies in the page.
  std::optional<Node> node(unsigned index) const {
    uint16_t offset = read<uint16_t>(m_bytes + PageHeader + 2 * index);
    if (offset < m_upper || offset % 2 != 0 || offset + NodeHeader > m_pageSize)
      return std::nullopt;
    Node node{m_bytes + offset, m_pageSize - offset};
    size_t size = NodeHeader + node.keySize();
    if (!m_isBranch) {
      if ((node.flags() & ~BigData) != 0)
        return std::nullopt;
      size += node.flags() == BigData ? sizeof(uint64_t) : node.dataSize();
    }
    if (size > node.space)
      return std::nullopt;
    return node;
  }

private:
  const uint8_t *m_bytes = nullptr;
  uint32_t m_pageSize = 0;
  uint16_t m_upper = 0;
  bool m_isBranch = false;
  unsigned m_count = 0;
};

struct OverflowRun {
  uint64_t first = 0, pages = 0;
};

// The value of a leaf's node; `run` is where it is, if it is outside of the leaf.
std::optional<Bytes> valueOf(FileView file, const Snapshot &snapshot, const Node &node, OverflowRun &run) {
  if (node.flags() != BigData)
    return Bytes(node.data(), node.dataSize());
  uint64_t first = read<uint64_t>(node.data());
  uint64_t pages = overflowPages(node.dataSize(), snapshot.pageSize);
  const uint8_t *bytes = pageAt(file, snapshot, first);
  if (!bytes || !pageAt(file, snapshot, first + pages - 1))
    return std::nullopt;
  run = {first, pages};
  return overflowValue({bytes, pages * snapshot.pageSize}, first, node.dataSize(), snapshot.pageSize);
}

int compare(KeyOrder order, Bytes a, Bytes b) {
  if (order == KeyOrder::Number) {
    uint64_t left = read<uint64_t>(a.data()), right = read<uint64_t>(b.data());
    return left < right ? -1 : left > right;
  }
  int result = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  return result != 0 ? result : a.size() < b.size() ? -1 : a.size() > b.size();
}

bool isKey(KeyOrder order, Bytes key) {
  return order == KeyOrder::Bytes ? !key.empty() : key.size() == sizeof(uint64_t);
}

// The number of nodes whose keys are below `key`, or equal to it with `orEqual`; the first node of a branch is below
// all. Nothing if a node on the way is broken.
std::optional<unsigned> countBelow(const TreePage &page, KeyOrder order, Bytes key, bool orEqual) {
  unsigned low = page.isBranch() ? 1 : 0, high = page.count();
  while (low < high) {
    unsigned middle = (low + high) / 2;
    std::optional<Node> node = page.node(middle);
    if (!node || !isKey(order, node->key()))
      return std::nullopt;
    int difference = compare(order, node->key(), key);
    if (difference < 0 || (orEqual && difference == 0))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

class Walker {
public:
  Walker(FileView file, const Snapshot &snapshot, const Tree &tree, KeyOrder order, SeenPages &seen,
         const Walk &callbacks)
      : m_file(file), m_snapshot(snapshot), m_tree(tree), m_order(order), m_seen(seen), m_callbacks(callbacks) {}

  // Returns false to stop. The keys of the subtree must lie in [from, to); empty: open.
  bool subtree(uint64_t number, unsigned level, Bytes from, Bytes above, Bytes below) {
    std::optional<TreePage> page = TreePage::at(m_file, m_snapshot, number);
    if (!page)
      return broken("page {} is not a page of a tree", number);
    if (!m_seen.add(number))
      return broken("page {} is used twice", number);
    if (page->isBranch() ? level >= m_tree.depth || level >= MaxDepth : level != m_tree.depth)
      return broken("page {} is not at its depth in the tree", number);
    // LMDB asserts this of the data; in its free list such a branch can be.
    if (page->isBranch() && page->count() < 2 && m_order == KeyOrder::Bytes)
      broken("page {} is a branch to one page only", number);
    ++(page->isBranch() ? m_seen.branch : m_seen.leaf);

    unsigned first = 0;
    if (!from.empty()) {
      std::optional<unsigned> below = countBelow(*page, m_order, from, page->isBranch());
      if (!below)
        return broken("page {} has a broken node", number);
      first = page->isBranch() ? *below - 1 : *below;
    }
    return page->isBranch() ? branch(number, *page, level, first, from, above, below)
                            : leaf(number, *page, first, above, below);
  }

private:
  bool branch(uint64_t number, const TreePage &page, unsigned level, unsigned first, Bytes from, Bytes above,
              Bytes below) {
    for (unsigned i = first; i < page.count(); ++i) {
      std::optional<Node> node = page.node(i);
      std::optional<Node> next = i + 1 < page.count() ? page.node(i + 1) : std::nullopt;
      bool hasNext = i + 1 < page.count();
      if (!node || (hasNext && (!next || !isKey(m_order, next->key()))))
        return broken("page {} has a broken node", number);
      Bytes low = i == 0 ? above : node->key();
      Bytes high = hasNext ? next->key() : below;
      if (!isOrdered(low, high))
        return broken("page {} is not in order", number);
      if (!subtree(node->child(), level + 1, i == first ? from : Bytes(), low, high))
        return false;
    }
    return true;
  }

  bool leaf(uint64_t number, const TreePage &page, unsigned first, Bytes above, Bytes below) {
    Bytes last;
    for (unsigned i = first; i < page.count(); ++i) {
      std::optional<Node> node = page.node(i);
      if (!node || !isKey(m_order, node->key())) {
        broken("page {} has a broken node", number);
        continue;
      }
      Bytes key = node->key();
      bool isInPlace = (last.empty() || compare(m_order, last, key) < 0) &&
                       (above.empty() || compare(m_order, above, key) <= 0) &&
                       (below.empty() || compare(m_order, key, below) < 0);
      if (!isInPlace) {
        broken("page {} is not in order", number);
        continue;
      }
      last = key;
      OverflowRun run;
      std::optional<Bytes> value = valueOf(m_file, m_snapshot, *node, run);
      if (!value || !addRun(run)) {
        broken("page {} has a value whose pages are broken", number);
        continue;
      }
      ++m_seen.entries;
      if (m_callbacks.entry && !m_callbacks.entry(key, *value))
        return false;
    }
    return true;
  }

  bool isOrdered(Bytes low, Bytes high) const { return low.empty() || high.empty() || compare(m_order, low, high) < 0; }

  bool addRun(const OverflowRun &run) {
    for (uint64_t i = 0; i < run.pages; ++i) {
      if (!m_seen.add(run.first + i))
        return false;
    }
    m_seen.overflow += run.pages;
    return true;
  }

  bool broken(fmt::format_string<uint64_t &> text, uint64_t page) {
    if (m_callbacks.defect)
      m_callbacks.defect(fmt::format(text, page));
    return true; // what is beside it may be whole
  }

  FileView m_file;
  const Snapshot &m_snapshot;
  const Tree &m_tree;
  KeyOrder m_order;
  SeenPages &m_seen;
  const Walk &m_callbacks;
};

} // namespace

std::optional<Snapshot> readMeta(FileView file, unsigned which) {
  if (file.bytes < PageHeader + 136)
    return std::nullopt;
  // The first one says how large pages are, and so where the second one is.
  uint32_t pageSize = read<uint32_t>(file.data + PageHeader + 24);
  if (!std::has_single_bit(pageSize) || pageSize < 512 || pageSize > 32768 || file.bytes < 2 * uint64_t(pageSize))
    return std::nullopt;
  const uint8_t *page = file.data + which * uint64_t(pageSize);
  const uint8_t *meta = page + PageHeader;
  if ((read<uint16_t>(page + 10) & MetaPage) == 0 || read<uint32_t>(meta) != Magic ||
      read<uint32_t>(meta + 4) != FormatVersion || read<uint64_t>(meta + 8) != 0 ||
      read<uint32_t>(meta + 24) != pageSize)
    return std::nullopt;

  Snapshot snapshot;
  snapshot.pageSize = pageSize;
  snapshot.mapSize = read<uint64_t>(meta + 16);
  snapshot.freeList = readTree(meta + 24);
  snapshot.data = readTree(meta + 72);
  snapshot.lastPage = read<uint64_t>(meta + 120);
  snapshot.transaction = read<uint64_t>(meta + 128);
  if (snapshot.freeList.flags != IntegerKey || snapshot.data.flags != 0 || read<uint32_t>(meta + 72) != 0)
    return std::nullopt;
  if (snapshot.transaction % 2 != which && snapshot.transaction != 0)
    return std::nullopt;
  if (snapshot.lastPage < 1 || snapshot.lastPage >= snapshot.mapSize / pageSize)
    return std::nullopt;
  for (const Tree *tree : {&snapshot.freeList, &snapshot.data}) {
    if (tree->depth > MaxDepth || tree->isEmpty() != (tree->depth == 0))
      return std::nullopt;
    if (!tree->isEmpty() && (tree->root < 2 || tree->root > snapshot.lastPage))
      return std::nullopt;
  }
  return snapshot;
}

std::optional<Snapshot> newestSnapshot(FileView file) {
  std::optional<Snapshot> first = readMeta(file, 0), second = readMeta(file, 1);
  if (!first || !second)
    return std::nullopt;
  return second->transaction > first->transaction ? second : first;
}

Lookup find(FileView file, const Snapshot &snapshot, Bytes key, Bytes &value) {
  if (snapshot.data.isEmpty())
    return Lookup::Absent;
  uint64_t number = snapshot.data.root;
  for (unsigned level = 1; level <= snapshot.data.depth; ++level) {
    std::optional<TreePage> page = TreePage::at(file, snapshot, number);
    if (!page || page->isBranch() != (level < snapshot.data.depth))
      return Lookup::Broken;
    std::optional<unsigned> below = countBelow(*page, KeyOrder::Bytes, key, page->isBranch());
    if (!below)
      return Lookup::Broken;
    if (page->isBranch()) {
      std::optional<Node> node = page->node(*below - 1);
      if (!node)
        return Lookup::Broken;
      number = node->child();
      continue;
    }
    if (*below == page->count())
      return Lookup::Absent;
    std::optional<Node> node = page->node(*below);
    if (!node)
      return Lookup::Broken;
    if (compare(KeyOrder::Bytes, node->key(), key) != 0)
      return Lookup::Absent;
    OverflowRun run;
    std::optional<Bytes> found = valueOf(file, snapshot, *node, run);
    if (!found)
      return Lookup::Broken;
    value = *found;
    return Lookup::Found;
  }
  return Lookup::Broken;
}

void forEachRecord(Bytes page, uint64_t number, const std::function<void(const LeafRecord &)> &visit) {
  std::optional<TreePage> leaf = TreePage::of(page, number);
  if (!leaf || leaf->isBranch())
    return;
  for (unsigned i = 0; i < leaf->count(); ++i) {
    std::optional<Node> node = leaf->node(i);
    if (!node)
      continue;
    LeafRecord record{.key = node->key(), .valueBytes = node->dataSize(), .value = {}, .overflow = {}};
    if (node->flags() == BigData)
      record.overflow = read<uint64_t>(node->data());
    else
      record.value = Bytes(node->data(), node->dataSize());
    visit(record);
  }
}

uint64_t overflowPages(uint32_t valueBytes, uint32_t pageSize) {
  return (PageHeader + uint64_t(valueBytes) + pageSize - 1) / pageSize;
}

std::optional<Bytes> overflowValue(Bytes run, uint64_t first, uint32_t valueBytes, uint32_t pageSize) {
  uint64_t pages = overflowPages(valueBytes, pageSize);
  if (run.size() != pages * pageSize || read<uint64_t>(run.data()) != first ||
      read<uint16_t>(run.data() + 10) != OverflowPage || read<uint32_t>(run.data() + 12) != pages)
    return std::nullopt;
  return run.subspan(PageHeader, valueBytes);
}

bool SeenPages::add(uint64_t page) {
  if (page >= seen.size() || seen[page])
    return false;
  seen[page] = true;
  return true;
}

void walk(FileView file, const Snapshot &snapshot, const Tree &tree, KeyOrder order, Bytes from, SeenPages &seen,
          const Walk &callbacks) {
  if (!tree.isEmpty())
    Walker(file, snapshot, tree, order, seen, callbacks).subtree(tree.root, 1, from, {}, {});
}

} // namespace dovetail::store
