// Package calibrate fits the map from evidence to probability to what the people of one tenant decided, and reports how
// well the thresholds agree with it.
//
// Input is the calibration of a model and labels (the answers to reviews, merges and splits); output is the calibration
// that agrees with the labels, and its error before and after. Its rules are caution: the fit is regularised towards the
// former calibration, moves only where there are labels, and counts only if it does better on held-out labels.
package calibrate
