// The child program of child_program_test: does what the word in its request says.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/child_service.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace {

using namespace rankine;

/// A line of each call that a confined program tries: its name and errno, 0 if it succeeds. Allowed
/// calls on files find none.
std::string tried_calls(meshes::Files files) {
  if (!meshes::confine(files)) return {};
  std::string lines;
  const auto note = [&](const char* name, long result) {
    lines += std::string(name) + " " + std::to_string(result < 0 ? errno : 0) + "\n";
  };
  const char *const none = "/no folder/none", *const other = "/no folder/other";
  note("read", ::open(none, O_RDONLY));
  note("thread", (std::thread([] {}).join(), 0));
  note("run", ::execl(none, none, nullptr));
  note("fork", [] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    return child;
  }());
  note("socket", ::socket(AF_UNIX, SOCK_STREAM, 0));
  note("signal", ::kill(::getpid(), 0));
  note("trace", ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
  note("write", ::open(none, O_WRONLY));
  note("both", ::open(none, O_RDWR));
  note("create", ::open(none, O_CREAT, 0600));
  note("truncate", ::truncate(none, 0));
  note("remove", ::unlink(none));
  note("rename", ::rename(none, other));
  note("link", ::link(none, other));
  note("folder", ::mkdir(none, 0700));
  note("mode", ::chmod(none, 0700));
  note("owner", ::chown(none, 0, 0));
  return lines;
}

/// A word, and a number after a blank where there is one.
std::vector<char> work(std::span<const char> request, const meshes::SendProgress& send) {
  const std::string text(request.begin(), request.end());
  const std::string word = text.substr(0, text.find(' '));
  const long number = word == text ? 0 : std::strtol(text.c_str() + word.size(), nullptr, 10);
  if (word == "echo") return {request.begin(), request.end()};
  if (word == "mesh") throw MeshError("a mesh");
  if (word == "input") throw InputError("an input");
  if (word == "error") throw Error("any");
  if (word == "memory") throw std::bad_alloc();
  if (word == "length") throw std::length_error("too long");
  if (word == "mistake") throw std::logic_error("a mistake");
  if (word == "odd") throw 7;
  if (word == "raise") std::raise(static_cast<int>(number));
  if (word == "exit") ::_exit(static_cast<int>(number));
  if (word == "allocate") return std::vector<char>(static_cast<std::size_t>(number));
  if (word == "spin") {
    for (volatile bool on = true; on;) {
    }
  }
  if (word == "files") {  // the numbers of those that are open
    std::vector<char> open;
    for (char n = 0; n < 100; ++n) {
      if (::fcntl(n, F_GETFD) >= 0) open.push_back(n);
    }
    return open;
  }
  if (word == "confined") {
    const std::string lines =
        tried_calls(number == 0 ? meshes::Files::read_only : meshes::Files::writable);
    return {lines.begin(), lines.end()};
  }
  const std::string id = std::to_string(::getpid());
  send({id.data(), id.size()});
  while (true) ::pause();
}

}  // namespace

int main(int argc, char** argv) { meshes::serve_parent(argc, argv, work); }
