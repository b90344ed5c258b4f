#include "rankine/meshes/reader/jobs.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankine::meshes {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned architecture = 0;
#endif

/// Calls not needed to read files. io_uring could do the forbidden operations without separate
/// system calls.
constexpr auto of_no_use = {
    SYS_execve,         SYS_execveat, SYS_socket,          SYS_socketpair,  SYS_ptrace,
    SYS_kill,           SYS_tkill,    SYS_pidfd_open,      SYS_pidfd_getfd, SYS_process_vm_writev,
    SYS_io_uring_setup, SYS_bpf,      SYS_perf_event_open, SYS_userfaultfd, SYS_mount,
    SYS_unshare,        SYS_setns,    SYS_keyctl,          SYS_add_key,     SYS_request_key,
#ifdef SYS_fork
    SYS_fork,           SYS_vfork,
#endif
};

/// Calls that modify files by name or descriptor; those without "at" do not exist on newer
/// architectures.
constexpr auto changes_of_files = {
    SYS_openat2,      SYS_unlinkat,  SYS_renameat,    SYS_renameat2, SYS_mkdirat,
    SYS_linkat,       SYS_symlinkat, SYS_mknodat,     SYS_fchmodat,  SYS_fchownat,
    SYS_fchmod,       SYS_fchown,    SYS_truncate,    SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr,    SYS_fsetxattr, SYS_removexattr, SYS_chroot,    SYS_lremovexattr,
    SYS_fremovexattr,
#ifdef SYS_unlink
    SYS_unlink,       SYS_rename,    SYS_mkdir,       SYS_link,      SYS_symlink,
    SYS_mknod,        SYS_chmod,     SYS_chown,       SYS_lchown,    SYS_rmdir,
    SYS_creat,        SYS_utime,     SYS_utimes,      SYS_futimesat,
#endif
};

constexpr unsigned refused = SECCOMP_RET_ERRNO | EPERM;

/// A program for the packet filter (BPF) of the kernel.
class Filter {
 public:
  explicit Filter(Files files) {
    load(offsetof(seccomp_data, arch));
    unless(BPF_JEQ, architecture, refused);
    load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    constexpr unsigned x32_calls = 0x40000000;
    add(BPF_JMP | BPF_JGE | BPF_K, x32_calls, 0, 1);
    add(BPF_RET | BPF_K, refused);
#endif
    for (const long call : of_no_use) refuse(call);
    refuse_unless_flags(SYS_clone, 0, CLONE_THREAD);
    // A filter cannot read the flags of clone3; with ENOSYS the C library uses clone instead.
    refuse(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    if (files == Files::read_only) {
      for (const long call : changes_of_files) refuse(call);
      constexpr unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
      refuse_flags(SYS_openat, 2, writing);
#ifdef SYS_open
      refuse_flags(SYS_open, 1, writing);
#endif
    }
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }

  bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) ==
               0;
  }

 private:
  void add(unsigned instruction, unsigned value, unsigned char if_true = 0,
           unsigned char if_false = 0) {
    code_.push_back({static_cast<unsigned short>(instruction), if_true, if_false, value});
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
  void unless(unsigned test, unsigned value, unsigned result) {
    add(BPF_JMP | test | BPF_K, value, 1, 0);
    add(BPF_RET | BPF_K, result);
  }
  void refuse(long call, unsigned result = refused) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1);
    add(BPF_RET | BPF_K, result);
  }
  /// Refuse a call if an argument has none of `flags`, or if it has any of them.
  void refuse_unless_flags(long call, std::size_t argument, unsigned flags) {
    decide_by_flags(call, argument, flags, SECCOMP_RET_ALLOW, refused);
  }
  void refuse_flags(long call, std::size_t argument, unsigned flags) {
    decide_by_flags(call, argument, flags, refused, SECCOMP_RET_ALLOW);
  }
  void decide_by_flags(long call, std::size_t argument, unsigned flags, unsigned with,
                       unsigned without) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 4);
    // Arguments have 64 bits; the lower half, which is first in memory, has the flags.
    load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
    add(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1);
    add(BPF_RET | BPF_K, with);
    add(BPF_RET | BPF_K, without);
  }

  std::vector<sock_filter> code_;
};

}  // namespace

bool confine(Files files) { return architecture != 0 && Filter(files).install(); }

}  // namespace rankine::meshes
