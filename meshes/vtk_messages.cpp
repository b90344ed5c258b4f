#include "meshes/vtk_messages.hpp"

#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

namespace rankine::meshes {
namespace {

/// VTK sends every message of every object to the one output window.
class CollectingWindow : public vtkOutputWindow {
 public:
  static CollectingWindow* New();

  void DisplayText(const char*) override {}
  void DisplayErrorText(const char* text) override {
    if (text_.empty()) text_ = what_it_says(text);
  }
  const std::string& text() const { return text_; }

 private:
  /// "ERROR: In FILE, line N\nvtkClass (0x…): message\n\n" -> "message"
  static std::string what_it_says(const std::string& message) {
    const std::size_t close = message.find("): ");
    std::string text = close == std::string::npos ? message : message.substr(close + 3);
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
    for (char& c : text) {
      if (c == '\n') c = ' ';
    }
    return text;
  }

  std::string text_;
};

vtkStandardNewMacro(CollectingWindow);

}  // namespace

struct VtkMessages::State {
  vtkSmartPointer<CollectingWindow> collecting = vtkSmartPointer<CollectingWindow>::New();
  vtkSmartPointer<vtkOutputWindow> before = vtkOutputWindow::GetInstance();
};

VtkMessages::VtkMessages() : state_(std::make_unique<State>()) {
  vtkOutputWindow::SetInstance(state_->collecting);
}

VtkMessages::~VtkMessages() { vtkOutputWindow::SetInstance(state_->before); }

std::string VtkMessages::text() const { return state_->collecting->text(); }

}  // namespace rankine::meshes
