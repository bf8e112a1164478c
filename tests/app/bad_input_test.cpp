// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Every kind of invalid input gives its message and its exit code, and docs/bad_input.md says the
/// same. To renew that page: TESSERA_WRITE_BAD_INPUT=docs/bad_input.md, then run BadInputPage.*.

#include <algorithm>

#include "app/bad_input_cases.hpp"
#include "app/command_fixture.hpp"
#include "support/share.hpp"

namespace tessera::app::bad_input_test {

using BadInputTest = CommandTest;

TEST_F(BadInputTest, EveryKindGivesItsMessageAndItsExitCode) {
  for (const InputFile& input : input_files())
    write(input.name, input.content);
  for (const auto& [heading, exit_code, cases] : bad_inputs()) {
    for (const BadInput& bad : test::share_of(cases)) {
      SCOPED_TRACE(bad.kind + ": tessera " + bad.arguments);
      const Outcome outcome = run(bad.arguments);
      EXPECT_EQ(outcome.exit_code, bad.exit_code != 0 ? bad.exit_code : exit_code) << outcome.err;
      EXPECT_TRUE(contains(outcome.err, bad.message))
          << "expected: " << bad.message << "\nfound:    " << outcome.err;
      EXPECT_TRUE(outcome.err.starts_with("tessera: ")) << outcome.err;
    }
  }
}

TEST_F(BadInputTest, TheFilesAreBadByTheirDefectAlone) {
  for (const InputFile& input : input_files())
    write(input.name, input.content);
  const Outcome outcome = run("solve good.mtx --config good.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(BadInputTest, NothingIsLeftBehindOfAnOutputThatFailed) {
  write("good.mtx", banner + "2 2 2\n1 1 2\n2 2 2\n");
  run("solve good.mtx -o x.mtx --report missing/r.json");
  for (const auto& entry : std::filesystem::directory_iterator(file("."))) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "good.mtx" || name == ".out" || name == ".err") << name;
  }
}

/// Markdown shows a vertical bar in a table's cell only when it is escaped.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string page() {
  std::string text =
      "# Messages for invalid input\n\n"
      "Each line is a test: `tests/app/bad_input_cases.hpp` holds the files and the commands, and "
      "this page is made from it.\nThe message column is the part of standard error that the test "
      "looks for.\n";
  for (const auto& [heading, exit_code, cases] : bad_inputs()) {
    text += "\n## " + heading +
            "\n\n| what is wrong | command | message | exit code |\n|---|---|---|---|\n";
    for (const BadInput& bad : cases)
      text += "| " + cell(bad.kind) + " | `tessera" + (bad.arguments.empty() ? "" : " ") +
              cell(bad.arguments) + "` | `" + cell(bad.message) + "` | " +
              std::to_string(bad.exit_code != 0 ? bad.exit_code : exit_code) + " |\n";
  }
  return text;
}

TEST(BadInputPage, IsWhatTheTestChecks) {
  const std::string text = page();
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 60);
  if (const char* path = std::getenv("TESSERA_WRITE_BAD_INPUT")) std::ofstream(path) << text;
  const auto path = std::filesystem::path(TESSERA_SOURCE_FOLDER) / "docs/bad_input.md";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the sources are not at hand";
  EXPECT_EQ(read_file(path), text) << "renew it as this file's head says";
}

}  // namespace tessera::app::bad_input_test
