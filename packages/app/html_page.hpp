// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What Tessera's HTML pages have in common: their style and their parts. Pages load nothing and
/// run no script; text is escaped here.
#pragma once

#include <string>

namespace tessera::app {

/// The page up to its first element, with the style. "</body></html>" ends it.
std::string page_begin(const std::string& title);

/// A large value with what it is below; `kind` is a class of the style, "good" or "bad".
std::string card(const std::string& value, const std::string& what, const char* kind = "");

/// A chart that scrolls by itself where the page is narrow, with what it shows.
std::string figure(const std::string& chart, const std::string& caption);

}  // namespace tessera::app
