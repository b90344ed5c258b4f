// Test programs do not stand beside rankine-reader: before they start they name that of this build.
#include <cstdlib>

namespace {

[[maybe_unused]] const int named = ::setenv("RANKINE_READER", RANKINE_READER_FILE, 0);

}  // namespace
