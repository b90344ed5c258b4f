// The NetCDF files that the program writes, read by the NetCDF library.
#include "cases/output/netcdf.hpp"

#include <gtest/gtest.h>
#include <netcdf.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "cases/solve/added_mass_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

/// A file that the library has opened. Every call of the library must succeed.
class Opened {
 public:
  explicit Opened(const std::string& bytes) {
    check(nc_open(folder_.write("a.nc", bytes).c_str(), NC_NOWRITE, &id_));
  }
  ~Opened() { nc_close(id_); }

  std::vector<std::size_t> sizes(const std::string& name) const {
    int count = 0, numbers[NC_MAX_VAR_DIMS];
    check(nc_inq_varndims(id_, variable(name), &count));
    check(nc_inq_vardimid(id_, variable(name), numbers));
    std::vector<std::size_t> sizes(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < sizes.size(); ++k) check(nc_inq_dimlen(id_, numbers[k], &sizes[k]));
    return sizes;
  }
  std::vector<double> reals(const std::string& name) const {
    std::vector<double> values(count(name));
    check(nc_get_var_double(id_, variable(name), values.data()));
    return values;
  }
  std::string characters(const std::string& name) const {
    std::string text(count(name), '?');
    check(nc_get_var_text(id_, variable(name), text.data()));
    return text;
  }
  std::string attribute(const std::string& name, const std::string& key) const {
    std::string text(100, '\0');
    check(
        nc_get_att_text(id_, name.empty() ? NC_GLOBAL : variable(name), key.c_str(), text.data()));
    return text.c_str();
  }

 private:
  static void check(int status) {
    if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
  }
  int variable(const std::string& name) const {
    int number = 0;
    check(nc_inq_varid(id_, name.c_str(), &number));
    return number;
  }
  std::size_t count(const std::string& name) const {
    std::size_t all = 1;
    for (const std::size_t each : sizes(name)) all *= each;
    return all;
  }

  testing::TemporaryFolder folder_;
  int id_ = 0;
};

TEST(Netcdf, IsReadByItsLibrary) {
  const std::vector<double> values{1.5, -2e300, 0.1, 4.0, 5.0, std::numeric_limits<double>::min()};
  const Opened file(netcdf({{"a", 2}, {"row", 3}}, {{"title", "abc"}},
                           {{"matrix", {"a", "row"}, values, {{"units", "kg m"}}},
                            {"names", {"row"}, std::vector<std::string>{"x", "longer", ""}},
                            {"one", {}, std::vector{7.25}}}));
  EXPECT_EQ(file.sizes("matrix"), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(file.reals("matrix"), values);
  EXPECT_EQ(file.attribute("matrix", "units"), "kg m");
  EXPECT_EQ(file.attribute("", "title"), "abc");
  EXPECT_EQ(file.sizes("names"), (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(file.characters("names"), "x     longer      ");
  EXPECT_EQ(file.reals("one"), std::vector{7.25});
  // "CDF", the version, and no records.
  EXPECT_EQ(netcdf({{"a", 2}}, {}, {}).substr(0, 8), std::string("CDF\1\0\0\0\0", 8));
  EXPECT_THROW(netcdf({{"a", 2}}, {}, {{"m", {"b"}, values}}), std::logic_error);
  EXPECT_THROW(netcdf({{"a", 2}}, {}, {{"m", {"a"}, values}}), std::logic_error);
}

TEST(Netcdf, HasBothLimitsOfAddedMassInTheLayoutOfCapytaine) {
  AddedMassMatrix slow, fast;
  slow.modes = fast.modes = {"hull surge", "hull sway"};
  slow.centres = fast.centres = {Vec3d{}};
  slow.matrix = {{1.0, 2.0}, {2.0, 3.0}};
  fast.matrix = {{4.0, 5.0}, {5.0, 6.0}};
  const Opened file(added_mass_netcdf({slow, fast}, 1025.0));
  EXPECT_EQ(file.reals("omega"), (std::vector{0.0, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(file.sizes("added_mass"), (std::vector<std::size_t>{2, 2, 2}));
  EXPECT_EQ(file.reals("added_mass"), (std::vector{1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0}));
  EXPECT_EQ(file.characters("radiating_dof"), "SurgeSway ");
  EXPECT_EQ(file.reals("rho"), std::vector{1025.0});
}

}  // namespace
}  // namespace rankine::cases
