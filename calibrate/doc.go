// Package calibrate fits the map from evidence to probability to the decisions of one tenant's people, and
// reports how well the thresholds agree with them.
//
// Input is the calibration of a model and labels from the answers to reviews and from automatic merges;
// output is the calibration that agrees with the labels, and its error before and after. Its rule is caution:
// the fit is regularised towards the former calibration, moves only where there are labels, and is accepted
// only if it does better on held-out labels.
package calibrate
