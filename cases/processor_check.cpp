// Ends the program with a message where it was compiled for a processor that this one is not, before
// any of its code runs that this one cannot. This file is compiled for every processor, with C alone:
// functions of the C++ library might be taken from the other files.
//
// It runs before the constructors of the libraries, which may be compiled for any processor, too.
#include "cases/processor_check.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <string.h>  // NOLINT(modernize-deprecated-headers): C alone, as said above
#include <unistd.h>

namespace {

struct Feature {
  unsigned bit;
  const char* name;
  int available;
};

void say(const char* text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

void check_processor(int, char**, char**) {
  __builtin_cpu_init();
#define RANKINE_FEATURE(bit, name) \
  { bit, name, __builtin_cpu_supports(name) }
  const struct Feature features[] = {RANKINE_FEATURE(needs_sse4_2, "sse4.2"),
                                     RANKINE_FEATURE(needs_avx, "avx"),
                                     RANKINE_FEATURE(needs_avx2, "avx2"),
                                     RANKINE_FEATURE(needs_fma, "fma"),
                                     RANKINE_FEATURE(needs_bmi2, "bmi2"),
                                     RANKINE_FEATURE(needs_avx512f, "avx512f"),
                                     RANKINE_FEATURE(needs_avx512bw, "avx512bw"),
                                     RANKINE_FEATURE(needs_avx512vl, "avx512vl"),
                                     RANKINE_FEATURE(needs_avx512dq, "avx512dq"),
                                     RANKINE_FEATURE(needs_avx512vbmi, "avx512vbmi"),
                                     RANKINE_FEATURE(needs_avx512vnni, "avx512vnni"),
                                     RANKINE_FEATURE(needs_gfni, "gfni"),
                                     RANKINE_FEATURE(needs_avx5124fmaps, "avx5124fmaps")};
#undef RANKINE_FEATURE
  for (const struct Feature& feature : features) {
    if ((needed_features & feature.bit) == 0 || feature.available) continue;
    say("error: this program was built for another processor: it needs ");
    say(feature.name);
    say(", which this one does not have. Build it on this machine (cmake --preset cpu, or cuda), "
        "or "
        "take a build of the preset release, which runs on every processor\n");
    _exit(1);
  }
}

}  // namespace

__attribute__((section(".preinit_array"),
               used)) static void (*const before_everything)(int, char**, char**) = check_processor;

#endif
