#include "rankine/meshes/files/child_service.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

#include "rankine/fmm/core/error.hpp"

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

void lower(decltype(RLIMIT_AS) resource, std::size_t value) {
  struct rlimit limit {};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, value);
  ::setrlimit(resource, &limit);
}

/// The address space of this process, bytes; 0 if unknown.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void set_limits([[maybe_unused]] std::size_t memory, std::size_t seconds) {
  const struct rlimit no_core { 0, 0 };
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (seconds > 0) lower(RLIMIT_CPU, seconds);
#ifndef RANKINE_SHADOW_MEMORY  // which takes terabytes of address space
  const std::size_t now = address_space();
  if (memory > 0 && now > 0) lower(RLIMIT_AS, now + memory);
#endif
}

std::vector<char> read_request() {
  std::vector<char> bytes(
      static_cast<std::size_t>(std::max<off_t>(0, ::lseek(STDIN_FILENO, 0, SEEK_END))));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got =
        ::pread(STDIN_FILENO, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) ::_exit(EXIT_FAILURE);
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

void write_all(const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(answer_descriptor, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(EXIT_FAILURE);
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send(MessageKind kind, std::span<const char> bytes) {
  const MessageHeader header{kind, bytes.size()};
  write_all(&header, sizeof(header));
  write_all(bytes.data(), bytes.size());
}

void send(MessageKind kind, const std::exception& error) {
  send(kind, std::span(error.what(), std::strlen(error.what())));
}

}  // namespace

void serve_parent(
    int argc, char** argv,
    const std::function<std::vector<char>(std::span<const char>, const SendProgress&)>& work) {
  constexpr int arguments = 4;
  if (argc != arguments) {
    std::fputs("rankine starts this program, to read files; it has no use otherwise\n", stderr);
    ::_exit(2);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != static_cast<pid_t>(std::strtol(argv[1], nullptr, 10))) ::_exit(EXIT_FAILURE);
  const std::vector<char> request = read_request();
  set_limits(std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
  try {
    send(MessageKind::result,
         work(request, [](std::span<const char> bytes) { send(MessageKind::progress, bytes); }));
  } catch (const MeshError& error) {
    send(MessageKind::mesh_error, error);
  } catch (const InputError& error) {
    send(MessageKind::input_error, error);
  } catch (const Error& error) {
    send(MessageKind::error, error);
  } catch (const std::bad_alloc& error) {
    send(MessageKind::out_of_memory, error);
  } catch (const std::length_error& error) {
    send(MessageKind::out_of_memory, error);
  } catch (const std::exception& error) {
    send(MessageKind::other, error);
  } catch (...) {
    send(MessageKind::other, std::runtime_error("unknown exception"));
  }
  ::_exit(EXIT_SUCCESS);
}

}  // namespace rankine::meshes
