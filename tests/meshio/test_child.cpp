// The child program of child_program_test: does what the word in its request says.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/child_service.hpp"

namespace {

using namespace rankine;

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
  const std::string id = std::to_string(::getpid());
  send({id.data(), id.size()});
  while (true) ::pause();
}

}  // namespace

int main(int argc, char** argv) { meshes::serve_parent(argc, argv, work); }
