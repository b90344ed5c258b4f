// A program "compiled for" a processor that nobody has: only Knights Mill knew this instruction set.
#include <cstdio>

#include "cases/processor_check.hpp"

constinit const unsigned needed_features = needs_avx5124fmaps;

namespace {

struct EarlierThanMain {
  EarlierThanMain() { std::puts("a constructor ran"); }
} early;

}  // namespace

int main() { std::puts("main ran"); }
