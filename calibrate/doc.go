// Package recalibrate fits the map from evidence to probability to what the
// people of one tenant decided.
//
// In come the calibration of a model and labelled evidence; out come the
// calibration that agrees with the labels, and what it would have done with
// them. The rules here are caution: the fit is drawn to what was there before,
// moves where there are labels and nowhere else, and counts only if it does
// better on labels that it has not seen.
package calibrate
