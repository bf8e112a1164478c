// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Each kind of malformed file: its error's kind, its line, its reason.
#include "io/files.hpp"

namespace tessera::test::bad_input_test {

const std::string real_general = "%%MatrixMarket matrix coordinate real general\n";
const std::string real_symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string integer_general = "%%MatrixMarket matrix coordinate integer general\n";
const std::string pattern_general = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

struct BadFile {
  const char* name;
  std::string content;
  int line;  ///< 0: the message names no line
  const char* reason;
};

class BadInput : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadInput, IsRefusedWithFileLineAndReason) {
  const TemporaryFolder folder;
  const BadFile& bad = GetParam();
  const auto path = folder.write("bad.mtx", bad.content);
  const std::string message =
      message_of(ErrorKind::bad_input, [&] { read_matrix<double>(DeviceSpace(), path); });
  const std::string place =
      bad.line > 0 ? path.string() + ":" + std::to_string(bad.line) + ": " : path.string() + ": ";
  EXPECT_EQ(message.substr(0, place.size()), place) << message;
  EXPECT_NE(message.find(bad.reason), std::string::npos) << message;
}

const BadFile head[] = {
    {"EmptyFile", "", 1, "the file is empty"},
    {"OnlyNewline", "\n", 1, "no Matrix Market banner"},
    {"NoBanner", "3 3 1\n1 1 1\n", 1, "no Matrix Market banner"},
    {"OnePercent", "%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "no Matrix Market"},
    {"ByteOrderMark", "\xef\xbb\xbf" + real_general + "1 1 0\n", 1,
     "a byte order mark: take it off"},
    {"Xz",
     std::string("\xfd"
                 "7zXZ\0\0\4",
                 8),
     1, "xz -dk"},
    {"Zstd", "\x28\xb5\x2f\xfd\x04", 1, "zstd -d"},
    {"Bzip2", "BZh91AY", 1, "bzip2 -dk"},
    {"Zip", "PK\3\4", 1, "NumPy"},
    {"ZipCut", "PK\3", 1, "expected '%%MatrixMarket"},
    {"Matlab", "MATLAB 5.0 MAT-file, Platform: GLNXA64", 1, "MATLAB"},
    {"Matlab7", "MATLAB 7.3 MAT-file, Platform: GLNXA64", 1, "MATLAB"},
    {"Hdf5", "\x89HDF\r\n\x1a\n", 1, "HDF5"},
    {"Tar", std::string(257, 'a') + "ustar\n", 1, "tar -xf"},
    {"Binary",
     std::string("\x7f"
                 "ELF\0\0\0",
                 7),
     1, "no Matrix Market banner"},
    {"BannerCut", "%%MatrixMarket matrix coordinate", 1, "the banner ends early"},
    {"BannerLong", "%%MatrixMarket matrix coordinate real general 2\n1 1 0\n", 1, "too many words"},
    {"NotMatrix", "%%MatrixMarket tensor coordinate real general\n", 1, "'tensor' is not 'matrix'"},
    {"OddFormat", "%%MatrixMarket matrix sparse real general\n", 1, "unknown format 'sparse'"},
    {"OddField", "%%MatrixMarket matrix coordinate quad general\n", 1, "unknown field 'quad'"},
    {"OddSymmetry", "%%MatrixMarket matrix coordinate real lower\n", 1, "unknown symmetry 'lower'"},
    {"Complex", "%%MatrixMarket matrix coordinate complex general\n", 1, "is complex"},
    {"Hermitian", "%%MatrixMarket matrix coordinate real hermitian\n", 1, "is hermitian"},
    {"ArrayPattern", "%%MatrixMarket matrix array pattern general\n1 1\n", 1, "has no pattern"},
    {"NoSizeLine", real_general, 2, "ends before its size line"},
    {"OnlyComments", real_general + "% a\n% b\n", 4, "ends before its size line"},
    {"SizeLineShort", real_general + "3 3\n", 2,
     "number of entries in the size line: it is missing"},
    {"SizeLineLong", real_general + "3 3 1 1\n1 1 1\n", 2, "goes on after its numbers: '1'"},
    {"SizeText", real_general + "three 3 1\n", 2, "number of rows in the size line: 'three'"},
    {"SizeFraction", real_general + "3 3.5 1\n", 2, "'3.5' is not a whole number"},
    {"SizeNegative", real_general + "3 3 -1\n", 2, "'-1' is negative"},
    {"SizeOverflow", real_general + "3 3 99999999999999999999\n", 2, "does not fit 64 bits"},
    {"RowsPast31Bits", real_general + "2147483648 3 0\n", 2, "at most 2147483647"},
    {"ColumnsPast31Bits", real_general + "3 4294967297 0\n", 2, "at most 2147483647"},
    {"NotSquare", real_symmetric + "3 4 0\n", 2, "3 by 4 is not square"},
    {"SkewNotSquare", skew + "4 3 0\n", 2, "is not square"},
    {"ArraySizeThree", array + "2 2 4\n1\n1\n1\n1\n", 2, "goes on after its numbers"},
};
INSTANTIATE_TEST_SUITE_P(Head, BadInput, ::testing::ValuesIn(head),
                         [](const auto& info) { return std::string(info.param.name); });

const BadFile entries[] = {
    {"TooFew", real_general + "3 3 3\n1 1 1\n2 2 2\n", 5, "promises 3 entries, but 2 are there"},
    {"None", real_general + "3 3 3\n", 3, "promises 3 entries, but 0 are there"},
    {"TooMany", real_general + "3 3 1\n1 1 1\n2 2 2\n", 4, "promises 1 entries, but 2 are there"},
    {"TextBehind", real_general + "3 3 1\n1 1 1\nend\n", 4, "promises 1 entries, but 2 are there"},
    {"Implausible", real_general + "9 9 9223372036854775807\n1 1 1\n", 4, "but 1 are there"},
    {"CutInLine", real_general + "3 3 2\n1 1 1\n2 2", 4, "the line ends early"},
    {"CutInIndex", real_general + "3 3 2\n1 1 1\n2", 4, "the line ends early"},
    {"RowZero", real_general + "3 3 1\n0 1 1\n", 3, "row 0 is below the first, 1"},
    {"ColumnZero", real_general + "3 3 1\n1 0 1\n", 3, "column 0 is below the first, 1"},
    {"RowNegative", real_general + "3 3 1\n-1 1 1\n", 3, "bad row number: '-1' is negative"},
    {"ColumnNegative", real_general + "3 3 1\n1 -2 1\n", 3, "bad column number: '-2' is negative"},
    {"RowBeyond", real_general + "3 3 2\n1 1 1\n4 1 1\n", 4, "row 4 is beyond the last, 3"},
    {"ColumnBeyond", real_general + "3 2 1\n1 3 1\n", 3, "column 3 is beyond the last, 2"},
    {"RowWraps32Bits", real_general + "3 3 1\n4294967297 1 1\n", 3, "beyond the last"},
    {"RowPast64Bits", real_general + "3 3 1\n18446744073709551617 1 1\n", 3, "does not fit 64"},
    {"RowText", real_general + "3 3 1\nx 1 1\n", 3, "bad row number: 'x'"},
    {"ColumnText", real_general + "3 3 1\n1 1x 1\n", 3, "bad column number: '1x'"},
    {"ColumnFraction", real_general + "3 3 1\n1 1.0 1\n", 3, "'1.0' is not a whole number"},
    {"ValueText", real_general + "3 3 1\n1 1 one\n", 3, "bad value: 'one' is not a number"},
    {"ValueTail", real_general + "3 3 1\n1 1 1.5abc\n", 3, "'1.5abc' is not a number"},
    {"ValueComma", real_general + "3 3 1\n1 1 1,5\n", 3, "'1,5' is not a number"},
    {"ValueHex", real_general + "3 3 1\n1 1 0x10\n", 3, "'0x10' is not a number"},
    {"ValueTwoSigns", real_general + "3 3 1\n1 1 +-1\n", 3, "'+-1' is not a number"},
    {"ValueOverflow", real_general + "3 3 1\n1 1 1e999\n", 3, "too large for double precision"},
    {"ValueMinusOverflow", real_general + "3 3 1\n1 1 -1e309\n", 3, "too large for double"},
    {"ValueNan", real_general + "3 3 1\n1 1 nan\n", 3, "'nan' is not a finite number"},
    {"ValueInf", real_general + "3 3 1\n1 1 -inf\n", 3, "'-inf' is not a finite number"},
    {"ValueMissing", real_general + "3 3 1\n1 1\n", 3, "expected 'row column value'"},
    {"ValueTwice", real_general + "3 3 1\n1 1 1 2\n", 3, "'2' stands behind the entry"},
    {"ControlCharacter", real_general + "3 3 1\n1 1 1\x01\n", 3, "'1?' is not a number"},
    {"ZeroByte", real_general + "3 3 1\n1 1" + std::string(1, '\0') + "1\n", 3, "ends early"},
    {"IntegerFraction", integer_general + "3 3 1\n1 1 1.5\n", 3, "'1.5' is not a whole number"},
    {"IntegerOverflow", integer_general + "3 3 1\n1 1 9223372036854775808\n", 3, "fit 64 bits"},
    {"PatternValue", pattern_general + "3 3 1\n1 1 1\n", 3, "'1' stands behind the entry"},
    {"PatternShort", pattern_general + "3 3 1\n1\n", 3, "expected 'row column'"},
    {"AboveDiagonal", real_symmetric + "3 3 2\n1 1 1\n1 2 1\n", 4, "(1, 2) is above the diagonal"},
    {"SkewAbove", skew + "3 3 1\n1 2 1\n", 3, "(1, 2) is above the diagonal"},
    {"SkewDiagonal", skew + "3 3 1\n2 2 1\n", 3, "(2, 2) is on the diagonal of a skew"},
    {"Duplicate", real_general + "3 3 3\n3 1 1\n1 1 1\n3 1 2\n", 5, "taken by an earlier entry"},
    {"DuplicateNextLine", real_general + "3 3 2\n2 1 1\n2 1 1\n", 4, "taken by an earlier entry"},
    {"DuplicateSymmetric", real_symmetric + "3 3 2\n2 1 1\n2 1 1\n", 4, "taken by an earlier"},
    {"LineAfterComments", real_general + "% c\n\n3 3 2\n% c\n1 1 1\n\n% c\n9 1 1\n", 9, "row 9"},
    {"WindowsLineEnds", "%%MatrixMarket matrix coordinate real general\r\n2 2 1\r\n1 5 1\r\n", 3,
     "column 5"},
    {"NoRows", real_general + "0 0 1\n1 1 1\n", 3, "row 1 is beyond the last, 0"},
    {"ArrayShort", array + "2 2\n1\n2\n3\n", 6, "promises 4 values, but 3 are there"},
    {"ArrayLong", array + "1 2\n1\n2\n3\n", 6, "promises 2 values, but 3 are there"},
    {"ArrayHuge", array + "2000000000 2000000000\n1\n", 4, "but only 2 bytes follow it"},
    {"ArrayText", array + "1 2\n1\ntwo\n", 4, "'two' is not a number"},
};
INSTANTIATE_TEST_SUITE_P(Entries, BadInput, ::testing::ValuesIn(entries),
                         [](const auto& info) { return std::string(info.param.name); });

const BadFile amgx[] = {
    {"UnknownWord", real_general + "%%AMGX diagonl\n1 1 0\n", 2, "unknown word 'diagonl'"},
    {"Block", real_general + "%%AMGX 2 2\n3 3 0\n", 3, "does not divide into blocks of 2 by 2"},
    {"BlockZero", real_general + "%%AMGX 0 rhs\n3 3 0\n", 2, "unknown word '0'"},
    {"RhsMissing", real_general + "%%AMGX rhs\n2 2 1\n1 1 1\n", 5, "promises 2 values"},
    {"RhsShort", real_general + "%%AMGX rhs\n2 2 1\n1 1 1\n5\n", 6, "but 1 are there"},
    {"RhsLong", real_general + "%%NVAMG rhs\n2 2 1\n1 1 1\n5\n6\n7\n", 8, "but 3 are there"},
    {"RhsText", real_general + "%%AMGX rhs\n2 2 1\n1 1 1\n5\nsix\n", 6, "'six' is not a number"},
    {"RhsNan", real_general + "%%AMGX rhs\n2 2 1\n1 1 1\n5\nnan\n", 6, "not a finite number"},
    {"DiagonalMissing", real_general + "%%AMGX diagonal\n9 9 1\n1 2 1\n", 5, "are not there"},
    {"DiagonalTwice", real_general + "%%AMGX diagonal\n1 1 1\n1 1 1\n4\n", 5,
     "taken by an earlier"},
    {"DiagonalNotSquare", real_general + "%%AMGX diagonal\n1 2 0\n4\n", 1, "a square matrix"},
    {"DiagonalSkew", skew + "%%AMGX diagonal\n2 2 0\n4\n4\n", 1, "has no diagonal"},
    {"Array", array + "%%AMGX rhs\n1 1\n4\n", 1, "need the coordinate format"},
    {"Base0Beyond", real_general + "%%AMGX base0\n2 2 1\n2 0 1\n", 4, "beyond the last, 1"},
};
INSTANTIATE_TEST_SUITE_P(Amgx, BadInput, ::testing::ValuesIn(amgx),
                         [](const auto& info) { return std::string(info.param.name); });

std::string damaged(std::string bytes, std::size_t from_end) {
  bytes[bytes.size() - from_end] ^= 0x55;
  return bytes;
}

const std::string packed = gzip(real_general + "2 2 2\n1 1 1\n2 2 2\n");
const BadFile packed_files[] = {
    {"Truncated", packed.substr(0, packed.size() - 12), 0, "damaged gzip: it is truncated"},
    {"TrailerCut", packed.substr(0, packed.size() - 3), 0, "damaged gzip: it is truncated"},
    {"HeaderOnly", packed.substr(0, 10), 0, "damaged gzip: it is truncated"},
    {"BadChecksum", damaged(packed, 8), 0, "damaged gzip: incorrect data check"},
    {"BadLength", damaged(packed, 2), 0, "damaged gzip: incorrect length check"},
    {"TrailingBytes", packed + "garbage", 0, "damaged gzip: 7 bytes behind its end"},
    {"NotMatrix", gzip("hello\n"), 1, "no Matrix Market banner"},
    {"Tar", gzip(std::string(257, 'a') + "ustar\n"), 1, "tar -xf"},
    {"BadEntry", gzip(real_general + "2 2 1\n3 1 1\n"), 3, "row 3"},
};
INSTANTIATE_TEST_SUITE_P(Gzip, BadInput, ::testing::ValuesIn(packed_files),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(BadInputSingle, ValueTooLargeForFloat) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.mtx", real_general + "1 1 1\n1 1 1e39\n");
  EXPECT_NO_THROW(read_matrix<double>(HostSpace(), path));
  expect_error(error_of([&] { read_matrix<float>(HostSpace(), path); }), ErrorKind::bad_input,
               {"too large for single precision"});
}

TEST(BadInputSingle, FilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto expect_unread = [](const std::filesystem::path& path) {
    expect_error(error_of([&] { read_matrix<double>(HostSpace(), path); }), ErrorKind::io, {});
  };
  expect_unread(folder.path() / "absent.mtx");
  expect_unread(folder.path());
  expect_unread(folder.write("file", "") / "below.mtx");
  if (::geteuid() != 0) {
    const auto path = folder.write("locked.mtx", real_general + "1 1 0\n");
    std::filesystem::permissions(path, std::filesystem::perms::none);
    expect_unread(path);
  }
}

TEST(BadInputSingle, TheFirstBadLineIsReportedWhateverTheThreads) {
  const TemporaryFolder folder;
  std::string content = real_general + "100000 1 100000\n";
  for (int i = 1; i <= 100000; ++i) {
    content += std::to_string(i) + (i > 30000 && i % 10000 == 1 ? " 7" : " 1") + " 0.5\n";
  }
  const auto path = folder.write("a.mtx", content);
  for (const int threads : {1, 2, 7}) {
    ReadOptions options;
    options.threads = threads;
    expect_error(error_of([&] { read_matrix<double>(HostSpace(), path, options); }),
                 ErrorKind::bad_input, {":30003: column 7"});
  }
}

}  // namespace tessera::test::bad_input_test
