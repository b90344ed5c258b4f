// LZ4 for files of VTK, by all threads.
#pragma once

#include <cstddef>
#include <memory>

class vtkDataCompressor;

namespace rankine::meshes {

/// Writes what vtkLZ4DataCompressor does. VTK asks for one block of an array after the other; of an array that it was
/// told of, this one compresses those that follow, too, each by one thread, and keeps them until they are asked for.
class ParallelLz4 {
 public:
  ParallelLz4();
  ~ParallelLz4();

  /// What a writer of VTK is given; a writer that keeps it may outlive this object.
  vtkDataCompressor* compressor() const;

  /// Blocks of `bytes` bytes from `data` on are asked for next, in their order. They must not change before.
  void expect(const void* data, std::size_t bytes);

 private:
  class Compressor;
  struct Owner;
  std::unique_ptr<Owner> owner_;
};

}  // namespace rankine::meshes
