// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Which connected components of a matrix over several processes are singular.
#pragma once

#include "tessera/distributed/matrix.hpp"
#include "tessera/distributed/pattern_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::distributed {

/// Of components whose constants A makes zero; the lists are the host's. First come those that
/// several processes have rows of, all of them on all processes, then those of this one alone.
struct ComponentNullspace {
  std::vector<int> component;  ///< by own row; -1 where that is regular
  std::vector<std::int64_t> size;  ///< by component: rows of all processes
  int num_shared = 0;
  std::int64_t num_components = 0;  ///< of all processes
  std::int64_t num_rows = 0;  ///< in them

  bool empty() const { return num_components == 0; }
};

/// A process's pieces of components (connected_pieces.hpp) on its host; a piece has a number.
struct HostPieces {
  std::vector<Ordinal> least;  ///< row of the piece
  std::vector<int> number;  ///< by own row that of its piece
  std::vector<std::int64_t> rows;
  std::vector<Partition::Global> component;
  std::vector<std::uint8_t> is_divided;

  std::size_t size() const { return least.size(); }
};

/// tessera::detail::singular_components of the rows of all processes, for the constant, of one
/// matrix after the other: those of an update have the rows, the pattern and the shares of the one
/// before. What goes by their couplings alone is kept as long as on each process the same entries
/// are zero, by 128 bits of a hash; what goes by row sums is looked at each time.
template <class Space>
class SingularComponents {
 public:
  /// Those where a row's sum is at most `tolerance` times that of the entries' magnitudes in each
  /// row. A is symmetric. Collective.
  const ComponentNullspace& find(const Space& exec, const Matrix<Space>& A, double tolerance);
  /// Whether the last `find` found others than the one before it, on any process.
  bool found_others() const { return m_found_others; }

 private:
  void search(const Space& exec, const Matrix<Space>& A, const PatternHash& couplings);
  /// By piece whether one of its rows does not sum to zero.
  std::vector<std::uint8_t> regular_pieces(const Space& exec, const Matrix<Space>& A,
                                           double tolerance) const;

  bool m_has_pieces = false;
  PatternHash m_couplings;  ///< that the pieces are of
  Array<Ordinal, Space> m_piece;  ///< by own row the least one of its piece
  HostPieces m_pieces;
  std::vector<Partition::Global> m_shared;  ///< components with rows of several processes
  ComponentNullspace m_found;
  bool m_has_found = false;
  bool m_found_others = true;
};

}  // namespace tessera::distributed
