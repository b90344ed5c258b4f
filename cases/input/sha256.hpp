// SHA-256 of a file (FIPS 180-4), so that results name exactly the case they came from.
#pragma once

#include <filesystem>
#include <string>

namespace rankine::cases {

/// 64 hexadecimal digits. Throws InputError where the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace rankine::cases
