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
  // Rows of the inverse are columns of that of the transpose.
  const Eigen::MatrixXf matrix = transposed(a).cast<float>();
  transposed(result) = matrix.partialPivLu()
                           .solve(Eigen::MatrixXf::Identity(static_cast<Eigen::Index>(a.columns),
                                                            static_cast<Eigen::Index>(rows)))
                           .cast<double>();
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
