#include "rankine/bem/dense_matrix.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace rankine::bem {
namespace {

// Eigen's matrices are column-major, so that a map of our values is the transpose.
Eigen::Map<const Eigen::MatrixXd> transposed(const DenseMatrix& a) {
  return {a.values.data(), static_cast<Eigen::Index>(a.columns), static_cast<Eigen::Index>(a.rows)};
}
Eigen::Map<Eigen::MatrixXd> transposed(DenseMatrix& a) {
  return {a.values.data(), static_cast<Eigen::Index>(a.columns), static_cast<Eigen::Index>(a.rows)};
}

}  // namespace

std::vector<double> solve(const DenseMatrix& a, std::span<const double> b) {
  std::vector<double> x(b.begin(), b.end());
  Eigen::Map<Eigen::MatrixXd> column(x.data(), static_cast<Eigen::Index>(b.size()), 1);
  const Eigen::MatrixXd matrix = transposed(a).transpose();
  column = matrix.partialPivLu().solve(Eigen::MatrixXd(column));
  return x;
}

DenseMatrix inverse_rows(const DenseMatrix& a, std::size_t rows) {
  DenseMatrix result(rows, a.columns);
  // Rows of the inverse are columns of that of the transpose. With the blocks I and E of the first
  // and the other rows, and S = T_II - T_IE T_EE^-1 T_EI, these are S^-1 and -T_EE^-1 T_EI S^-1.
  const Eigen::MatrixXf t = transposed(a).cast<float>();
  const auto own = static_cast<Eigen::Index>(rows), rest = t.rows() - own;
  Eigen::MatrixXf beside(rest, own), complement = t.topLeftCorner(own, own);
  if (rest > 0) {
    beside = t.bottomRightCorner(rest, rest).partialPivLu().solve(t.bottomLeftCorner(rest, own));
    complement.noalias() -= t.topRightCorner(own, rest) * beside;
  }
  const Eigen::MatrixXf inverse = complement.partialPivLu().inverse();
  auto columns = transposed(result);
  columns.topRows(own) = inverse.cast<double>();
  columns.bottomRows(rest) = -(beside * inverse).cast<double>();
  return result;
}

DenseMatrix pseudo_inverse(const DenseMatrix& a, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
  solver.setThreshold(threshold);
  solver.compute(transposed(a).transpose());
  DenseMatrix result(a.columns, a.rows);
  transposed(result) = solver.pseudoInverse().transpose();
  return result;
}

}  // namespace rankine::bem
