// SPDX-License-Identifier: MIT
//
// Opening and closing the files. Before LMDB sees them, the meta pages are checked here, because LMDB believes them;
// what is found damaged is put aside under the locks that keep everybody else out.
#include "parts/store/aside.h"
#include "parts/store/environment.h"
#include "parts/store/structure_check.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

// In environment_write.cpp.
void onLmdbAssertion(MDB_env *lmdb, const char *text);

namespace {

constexpr std::chrono::milliseconds Patience(2000);
constexpr std::chrono::milliseconds ReaderPatience(20);
// How much larger than ours another process's limit may be without being taken for damage.
constexpr uint64_t MostGrowth = 64;
// Room for about 1,000 readers.
constexpr off_t LockFileBytes = 64 * 1024;

tl::unexpected<Error> ioError(const std::string &path, std::string_view reason) {
  return makeError(ErrorCode::Io, "part store: {}: {}", path, reason);
}

tl::unexpected<Error> ioError(const std::string &path, int code) {
  return ioError(path, code > 0 ? std::strerror(code) : mdb_strerror(code));
}

// Memory mapped there is not the same for all machines (LMDB, lmdb.h: "Do not use LMDB databases on remote
// filesystems").
bool isRemote(const std::string &folder) {
  struct statfs status;
  if (statfs(folder.c_str(), &status) != 0)
    return false;
  switch (uint32_t(status.f_type)) {
  case NFS_SUPER_MAGIC:
  case SMB_SUPER_MAGIC:
  case 0xfe534d42: // SMB2
  case 0xff534d42: // CIFS
  case AFS_SUPER_MAGIC:
  case CODA_SUPER_MAGIC:
    return true;
  }
  return false;
}

// LMDB maps its lock file and writes there. If the disk were full then, the process would die of it; so the blocks are
// taken before.
int reserveLockFile(const std::string &path) {
  int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0)
    return errno;
  struct stat status;
  int code = fstat(file, &status) != 0 ? errno : 0;
  if (code == 0 && !S_ISREG(status.st_mode))
    code = EINVAL;
  off_t size = std::max<off_t>(status.st_size, LockFileBytes);
  if (code == 0 && (status.st_size < size || status.st_blocks * 512 < size))
    code = posix_fallocate(file, 0, size);
  close(file);
  return code;
}

// Keeps what LMDB asserted in for the rest of the process: it is in no state to be freed.
void abandon(MDB_env *lmdb) {
  struct Abandoned {
    MDB_env *lmdb;
    Abandoned *next;
  };
  static std::atomic<Abandoned *> all = nullptr;
  Abandoned *one = new Abandoned{lmdb, all};
  while (!all.compare_exchange_weak(one->next, one)) {
  }
}

// A mapping that ends with the scope.
class Mapping {
public:
  Mapping(int file, uint64_t bytes) : m_bytes(bytes) {
    void *data = bytes == 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
    m_data = data == MAP_FAILED ? nullptr : static_cast<const uint8_t *>(data);
  }
  ~Mapping() {
    if (m_data)
      munmap(const_cast<uint8_t *>(m_data), m_bytes);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  FileView view() const { return {m_data, m_data ? m_bytes : 0}; }

private:
  const uint8_t *m_data = nullptr;
  uint64_t m_bytes;
};

} // namespace

Result<std::unique_ptr<Environment>> Environment::open(Options options) {
  std::unique_ptr<Environment> environment(new Environment(std::move(options)));
  DOVETAIL_CHECK(environment->openFolder());
  DOVETAIL_CHECK(environment->openFiles());
  return environment;
}

Environment::~Environment() {
  closeFiles();
}

Result<void> Environment::openFolder() {
  const std::string &folder = m_options.folder;
  std::error_code code;
  if (!std::filesystem::is_directory(folder, code))
    return ioError(folder, code ? code.value() : ENOTDIR);
  if (isRemote(folder))
    return ioError(folder, "the folder is on another machine");

  // Nobody writes to a file system that is mounted so, nor to a file that nobody may write to (we do not, whoever we
  // are). Where only we may not, others may, and without their lock file we would read what they change.
  struct statvfs system;
  struct stat data;
  bool isMountedReadOnly = statvfs(folder.c_str(), &system) == 0 && (system.f_flag & ST_RDONLY) != 0;
  bool isWriteProtected = stat(pathOf("data.mdb").c_str(), &data) == 0 && (data.st_mode & 0222) == 0;
  m_isFrozen = isMountedReadOnly || isWriteProtected;
  return m_isFrozen ? Result<void>() : m_lock.open(pathOf("store.lock"));
}

// Also says how much of the file is in use.
Environment::Condition Environment::look(uint64_t &usedBytes) const {
  usedBytes = 0;
  struct stat status = {};
  int file = ::open(pathOf("data.mdb").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return errno == ENOENT ? Condition::New : Condition::Whole; // LMDB says why it cannot be opened
  Condition condition = Condition::Damaged;
  if (fstat(file, &status) == 0 && status.st_size == 0) {
    condition = Condition::New;
  } else if (S_ISREG(status.st_mode)) {
    Mapping mapping(file, status.st_size);
    if (std::optional<Snapshot> snapshot = newestSnapshot(mapping.view())) {
      uint64_t there = mapping.view().bytes;
      uint64_t most = m_options.maxBytes > ~uint64_t(0) / MostGrowth ? ~uint64_t(0) : MostGrowth * m_options.maxBytes;
      usedBytes = (snapshot->lastPage + 1) * snapshot->pageSize;
      // The last pages may be missing if they are free; usually the file was cut off.
      if (usedBytes <= there ||
          (usedBytes - there <= most && checkStructure(mapping.view(), *snapshot).defects.empty()))
        condition = Condition::Whole;
      // Where another process allows the file to grow, so that it does not grow out of our mapping all the time.
      if (snapshot->mapSize <= most)
        usedBytes = std::max(usedBytes, snapshot->mapSize);
    }
  }
  close(file);
  return condition;
}

Result<void> Environment::openFiles() {
  if (!m_isFrozen && !m_lock.lockForOpening(Patience))
    return ioError(m_options.folder, "another process has locked the store");
  uint64_t usedBytes;
  Condition condition = look(usedBytes);
  Result<void> result;
  if (condition == Condition::Whole)
    result = openLmdb(usedBytes);
  if (!m_isFrozen)
    m_lock.unlockForOpening();
  if (condition == Condition::Whole)
    return result;
  if (isReadOnly())
    return ioError(m_options.folder, condition == Condition::Damaged ? "the store is damaged" : "there is no store");
  return makeFiles();
}

Result<void> Environment::makeFiles() {
  bool hasLock = m_lock.isLockedForWriting();
  if (!hasLock && !m_lock.lockForWriting(Patience, [] { return uint64_t(0); }))
    return ioError(m_options.folder, "another process has locked the store");
  // Perhaps somebody was just making it, or writing a meta page: now nobody does.
  uint64_t usedBytes;
  Condition condition = look(usedBytes);
  Result<void> result = condition == Condition::Whole ? openLmdb(usedBytes) : startAnew(condition);
  if (!hasLock)
    m_lock.unlockForWriting();
  return result;
}

// The lock for writing must be held. Who opens the store next finds none, or the new one.
Result<void> Environment::startAnew(Condition condition) {
  if (!m_lock.lockAgainstOpening(Patience))
    return ioError(m_options.folder, "another process has locked the store");
  Result<void> result;
  if (condition == Condition::Damaged) {
    if (int code = putAside(m_options.folder))
      result = ioError(pathOf("data.mdb"), code);
    else
      ++m_timesPutAside;
  }
  // Its readers are not those of the new database.
  if (result && unlink(pathOf("lock.mdb").c_str()) != 0 && errno != ENOENT)
    result = ioError(pathOf("lock.mdb"), errno);
  if (result)
    result = openLmdb(0);
  m_lock.unlockForOpening();
  return result;
}

Result<void> Environment::openLmdb(uint64_t usedBytes) {
  const std::string &folder = m_options.folder;
  if (!m_isFrozen) {
    if (int code = reserveLockFile(pathOf("lock.mdb")))
      return ioError(pathOf("lock.mdb"), code);
  }
  if (int code = mdb_env_create(&m_lmdb)) {
    m_lmdb = nullptr;
    return ioError(folder, code);
  }
  uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  uint64_t mapBytes = std::max(m_options.maxBytes, usedBytes) / page * page;
  mdb_env_set_assert(m_lmdb, onLmdbAssertion);
  mdb_env_set_mapsize(m_lmdb, mapBytes);
  // Transactions belong to whoever uses them, not to a thread. The newest state may be lost when the power goes, but
  // never one that a later one is built on.
  unsigned flags = MDB_NOTLS | MDB_NOMETASYNC;
  if (isReadOnly())
    flags |= MDB_RDONLY;
  if (m_isFrozen)
    flags |= MDB_NOLOCK;
  int code = mdb_env_open(m_lmdb, folder.c_str(), flags, 0644);
  if (code == 0) {
    int dead = 0;
    if (!m_isFrozen)
      mdb_reader_check(m_lmdb, &dead);
    m_file = ::open(pathOf("data.mdb").c_str(), O_RDONLY | O_CLOEXEC);
    if (m_file < 0 || !remap())
      code = errno;
  }
  if (code != 0) {
    closeFiles();
    return ioError(folder, code);
  }
  return {};
}

void Environment::unmap() {
  if (m_map)
    munmap(const_cast<uint8_t *>(m_map), m_mapBytes);
  m_map = nullptr;
}

// Maps as much as LMDB does. Sets errno on failure.
bool Environment::remap() {
  unmap();
  MDB_envinfo info;
  struct stat status;
  if (mdb_env_info(m_lmdb, &info) != 0 || fstat(m_file, &status) != 0)
    return false;
  void *map = mmap(nullptr, info.me_mapsize, PROT_READ, MAP_SHARED, m_file, 0);
  if (map == MAP_FAILED)
    return false;
  m_map = static_cast<const uint8_t *>(map);
  m_mapBytes = info.me_mapsize;
  m_fileBytes = uint64_t(status.st_size);
  return true;
}

void Environment::closeFiles() {
  for (MDB_txn *transaction : m_idle)
    mdb_txn_abort(transaction);
  m_idle.clear();
  unmap();
  if (m_lmdb && m_isAbandoned)
    abandon(m_lmdb);
  else if (m_lmdb)
    mdb_env_close(m_lmdb);
  m_lmdb = nullptr;
  if (m_file >= 0)
    close(m_file);
  m_file = -1;
}

// For threads that read, which must not wait: what takes longer than a moment is left to the one that writes.
bool Environment::reopen(ReadFailure &failure) {
  failure = ReadFailure::Busy;
  if (m_isAbandoned || (!m_isFrozen && !m_lock.lockForOpening(ReaderPatience)))
    return false;
  closeFiles();
  uint64_t usedBytes;
  m_isDamaged = look(usedBytes) != Condition::Whole;
  bool isOpen = !m_isDamaged && openLmdb(usedBytes);
  if (!m_isFrozen)
    m_lock.unlockForOpening();
  failure = m_isDamaged ? ReadFailure::Broken : ReadFailure::Closed;
  return isOpen;
}

bool Environment::isReplaced() {
  std::shared_lock<std::shared_mutex> lock(m_mutex);
  struct stat opened, there;
  if (m_file < 0 || fstat(m_file, &opened) != 0)
    return false;
  if (stat(pathOf("data.mdb").c_str(), &there) != 0)
    return errno == ENOENT;
  return opened.st_dev != there.st_dev || opened.st_ino != there.st_ino;
}

uint64_t Environment::freeDiskBytes() const {
  struct statvfs system;
  if (statvfs(m_options.folder.c_str(), &system) != 0)
    return ~uint64_t(0);
  return uint64_t(system.f_bavail) * system.f_frsize;
}

// Waits for others who are opening the files before readers have to wait for this.
Result<void> Environment::reopenAsWriter(bool isDamaged) {
  for (std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + Patience;;) {
    {
      std::unique_lock<std::shared_mutex> lock(m_mutex);
      if (isReadOnly() || m_isAbandoned)
        return ioError(m_options.folder, "the store is damaged");
      bool wasOpen = m_lmdb != nullptr;
      bool isLast = std::chrono::steady_clock::now() >= end;
      if (isLast || m_lock.lockAgainstOpening(std::chrono::milliseconds(0))) {
        closeFiles();
        m_isDamaged = false;
        if (isLast)
          return ioError(m_options.folder, "another process has locked the store");
        // What was closed already may be whole: a meta page that was being written looked damaged.
        Result<void> result = isDamaged && wasOpen ? startAnew(Condition::Damaged) : makeFiles();
        m_lock.unlockForOpening();
        return result;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Result<void> Environment::follow() {
  if (!m_lock.isInPlace())
    return ioError(m_options.folder, "its files were removed");
  return reopenAsWriter(false);
}

Result<void> Environment::replaceDamaged() {
  return reopenAsWriter(true);
}

} // namespace dovetail::store
