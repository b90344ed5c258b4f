// Compresses arrays for files of VTK by LZ4, on all threads.
#pragma once

#include <cstddef>
#include <memory>

class vtkDataCompressor;

namespace rankine::meshes {

/// Gives the same bytes as vtkLZ4DataCompressor. VTK asks for one block of an array after the
/// other. For an array announced by expect(), this class compresses the following blocks as well,
/// each on one thread, and keeps them until VTK asks for them.
class ParallelLz4 {
 public:
  ParallelLz4();
  ~ParallelLz4();

  /// The compressor for a writer of VTK; a writer that keeps it may outlive this object.
  vtkDataCompressor* compressor() const;

  /// Blocks of `bytes` bytes from `data` on are asked for next, in their order. They must not
  /// change before.
  void expect(const void* data, std::size_t bytes);

 private:
  class Compressor;
  struct Owner;
  std::unique_ptr<Owner> owner_;
};

}  // namespace rankine::meshes
