// Package phonetic compares words of any script by how they sound: "Юрий" and "Yuri", "حسين" and "Husayn".
//
// In comes a word, folded; out go its sounds, as a code. Two codes have a closeness, by an alignment in which letters
// that one script does not write or cannot tell apart cost little. Which closeness makes two names alike is decided by
// package similarity.
package phonetic
