#include "rankine/meshes/files/child_setting.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <initializer_list>

#include "rankine/fmm/core/parallel.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RANKINE_SHADOW_MEMORY
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RANKINE_SHADOW_MEMORY
#endif

namespace rankine::meshes {
namespace {

/// Handlers of this process would act for it from within the child; what it ignores stays ignored.
void restore_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                           SIGABRT, SIGTRAP, SIGPIPE, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
      ::signal(signal, SIG_DFL);
    }
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

void silence() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

void lower(decltype(RLIMIT_AS) resource, std::size_t value) {
  struct rlimit limit {};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, value);
  ::setrlimit(resource, &limit);
}

/// The address space of this process, bytes; 0 where it cannot be told.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void set_limits(const ChildLimits& limits) {
  const struct rlimit no_core { 0, 0 };
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (limits.seconds > 0) lower(RLIMIT_CPU, limits.seconds);
#ifndef RANKINE_SHADOW_MEMORY  // which takes terabytes of address space
  const std::size_t now = address_space();
  if (limits.memory > 0 && now > 0) lower(RLIMIT_AS, now + limits.memory);
#endif
}

}  // namespace

void settle_child(int parent, const ChildLimits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  restore_signals();
  silence();
  set_limits(limits);
  StopScope::current() = {};
}

}  // namespace rankine::meshes
