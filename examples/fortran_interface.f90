! Potential and gradient of charges from a program in Fortran, against a plain loop; then the points
! move.
!   potential(x_i) = sum_j q_j / |x_i - x_j| , j /= i
program fortran_interface
  use, intrinsic :: iso_c_binding, only: c_double
  use rankine_fmm
  implicit none
  integer, parameter :: n = 20000
  real(c_double) :: points(3, n), shift(3, n), charges(n), potential(n), gradient(3, n)
  real(c_double) :: before, after
  type(fmm_options) :: options
  type(fmm_plan) :: plan
  integer :: i

  call random_seed(put=[(i, i = 1, 64)])
  call random_number(points)
  call random_number(shift)
  call random_number(charges)
  charges = 2 * charges - 1

  options = fmm_default_options()
  options%tolerance = 1.0e-6_c_double
  options%derivatives = 1
  call plan%create(points, options=options)
  call plan%apply(charges=charges, potential=potential, gradient=gradient)
  before = error_of_sample()

  points = points + 0.1_c_double * shift
  call plan%move(points)
  call plan%apply(charges=charges, potential=potential, gradient=gradient)
  after = error_of_sample()
  call plan%destroy()

  print "(a, i0, a, es7.1, a, es7.1)", "relative error of ", n, " sums: ", before, &
      ", after the points moved ", after
  if (max(before, after) > options%tolerance) error stop 1

contains

  ! The relative error of every 200th gradient, and that of the potential where it is larger.
  real(c_double) function error_of_sample()
    real(c_double) :: r(3), distance, exact, field(3), error(2), size(2)
    integer :: j
    error = 0
    size = 0
    do i = 1, n, 200
      exact = 0
      field = 0
      do j = 1, n
        if (j == i) cycle
        r = points(:, i) - points(:, j)
        distance = norm2(r)
        exact = exact + charges(j) / distance
        field = field - charges(j) * r / distance**3
      end do
      error = error + [(potential(i) - exact)**2, sum((gradient(:, i) - field)**2)]
      size = size + [exact**2, sum(field**2)]
    end do
    error_of_sample = sqrt(maxval(error / size))
  end function
end program
