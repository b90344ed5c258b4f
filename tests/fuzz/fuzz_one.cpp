// A program of libFuzzer for the target RANKINE_FUZZ_TARGET.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rankine::testing;
  static const FuzzTarget& target = fuzz_targets().at(RANKINE_FUZZ_TARGET);
  const std::string objection = target({reinterpret_cast<const char*>(data), size});
  if (objection.empty()) return 0;
  std::fprintf(stderr, "finding: %s\n", objection.c_str());
  std::abort();
}
