#include "tests/support/surface_data.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

namespace rankine::testing {

std::map<std::string, std::vector<double>> read_surface_data(const std::filesystem::path& file) {
  const vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  std::map<std::string, std::vector<double>> data;
  vtkCellData* const cells = reader->GetOutput()->GetCellData();
  for (int k = 0; k < cells->GetNumberOfArrays(); ++k) {
    auto* const array = vtkDoubleArray::SafeDownCast(cells->GetArray(k));
    if (array == nullptr) continue;
    const double* const first = array->GetPointer(0);
    data[array->GetName()].assign(first, first + array->GetNumberOfValues());
  }
  return data;
}

}  // namespace rankine::testing
