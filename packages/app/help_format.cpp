// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/help_format.hpp"

#include <utility>

namespace tessera::app {

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
  std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
  help.erase(help.find_last_not_of('\n') + 1);
  const std::string footer = app->get_footer();
  return help + (footer.empty() ? "\n" : "\n\n" + footer + "\n");
}

}  // namespace tessera::app
