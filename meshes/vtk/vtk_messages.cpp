#include "rankine/meshes/vtk/vtk_messages.hpp"

#include <vtkLogger.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <algorithm>

#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// VTK sends the messages of all objects to a single output window and to its log.
class CollectingWindow : public vtkOutputWindow {
 public:
  static CollectingWindow* New();

  void DisplayText(const char*) override {}
  void DisplayErrorText(const char* text) override {
    if (text_.empty()) text_ = message_text(text);
  }
  const std::string& text() const { return text_; }

 private:
  /// "ERROR: In FILE, line N\nvtkClass (0x…): message\n\n" -> "message"
  static std::string message_text(const std::string& message) {
    const std::size_t close = message.find("): ");
    std::string text = close == std::string::npos ? message : message.substr(close + 3);
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return printable(std::move(text));
  }

  std::string text_;
};

vtkStandardNewMacro(CollectingWindow);

}  // namespace

struct VtkMessages::State {
  vtkSmartPointer<CollectingWindow> collecting = vtkSmartPointer<CollectingWindow>::New();
  vtkSmartPointer<vtkOutputWindow> before = vtkOutputWindow::GetInstance();
  vtkLogger::Verbosity verbosity_before = vtkLogger::GetCurrentVerbosityCutoff();
};

VtkMessages::VtkMessages() : state_(std::make_unique<State>()) {
  vtkOutputWindow::SetInstance(state_->collecting);
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
}

VtkMessages::~VtkMessages() {
  vtkLogger::SetStderrVerbosity(state_->verbosity_before);
  vtkOutputWindow::SetInstance(state_->before);
}

std::string VtkMessages::text() const { return state_->collecting->text(); }

}  // namespace rankine::meshes
