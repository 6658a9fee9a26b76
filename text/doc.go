// Package text splits, folds and romanises text for everything that compares words.
//
// It holds the frozen key of a spelling, case folding, scripts, romanisation, the phonetic code, and the
// words and search terms of a text. It knows nothing of names, entities or beliefs. Which tokenisers remain
// elsewhere, and why, is in docs/adr/0023-one-package-for-text.md.
package text
