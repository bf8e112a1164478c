// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/storage_of_others.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>

namespace tessera::distributed {
namespace {

constexpr std::size_t matrices_per_level = 3;  // A, P and R

/// The matrix of that number among those of all levels; null behind the levels known here.
StorageInfo* matrix_of_number(std::vector<LevelInfo>& levels, std::size_t number) {
  const std::size_t l = number / matrices_per_level;
  if (l >= levels.size()) return nullptr;
  StorageInfo* const matrices[matrices_per_level] = {&levels[l].A, &levels[l].P, &levels[l].R};
  return matrices[number % matrices_per_level];
}

/// `text` of process `root`, on all of them.
void broadcast_text(const Communicator& processes, std::string& text, int root) {
  auto length = static_cast<std::int64_t>(text.size());
  processes.broadcast(std::as_writable_bytes(std::span(&length, 1)), root);
  text.resize(static_cast<std::size_t>(length));
  processes.broadcast(std::as_writable_bytes(std::span(text)), root);
}

/// The next text of those that end with a zero each.
std::string next_text(const std::string& texts, std::size_t& at) {
  const std::string text = texts.c_str() + at;
  at += text.size() + 1;
  return text;
}

}  // namespace

void take_storage_of_others(const Communicator& processes, std::vector<LevelInfo>& levels) {
  const double num_levels = processes.maximum_of(static_cast<double>(levels.size()));
  const std::size_t count = matrices_per_level * static_cast<std::size_t>(num_levels);
  std::vector<StorageInfo*> own(count, nullptr);
  std::vector<double> largest(count + 1, 0);  // and whether anything is open
  for (std::size_t m = 0; m < count; ++m) {
    own[m] = matrix_of_number(levels, m);
    if (own[m] == nullptr) continue;
    largest[m] = static_cast<double>(own[m]->bytes);
    if (own[m]->format.empty()) largest[count] = 1;
  }
  processes.maximum(largest);
  if (largest[count] == 0) return;
  const double nobody = processes.size();
  std::vector<double> first(count, nobody);
  for (std::size_t m = 0; m < count; ++m)
    if (largest[m] > 0 && own[m] != nullptr && static_cast<double>(own[m]->bytes) == largest[m])
      first[m] = processes.rank();
  processes.minimum(first);
  for (const double root : std::set<double>(first.begin(), first.end())) {
    if (root == nobody) continue;
    std::string texts;
    for (std::size_t m = 0; m < count && processes.rank() == root; ++m) {
      if (first[m] != root) continue;
      for (const std::string* text : {&own[m]->format, &own[m]->storage, &own[m]->kernel})
        texts.append(text->c_str(), text->size() + 1);
    }
    broadcast_text(processes, texts, static_cast<int>(root));
    std::size_t at = 0;
    for (std::size_t m = 0; m < count; ++m) {
      if (first[m] != root) continue;
      StorageInfo found;
      found.format = next_text(texts, at);
      found.storage = next_text(texts, at);
      found.kernel = next_text(texts, at);
      if (own[m] != nullptr && own[m]->format.empty()) *own[m] = found;
    }
  }
}

}  // namespace tessera::distributed
