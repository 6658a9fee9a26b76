// Package similarity computes how likely two profiles are to be of one entity.
//
// Input is two profiles (names, attributes, descriptions, records); output is a calibrated probability, a
// veto if there is one, and the contribution of each kind of evidence in log-odds. Its rules: how names are
// cut into words and aligned, how attributes of each kind are compared, the weights and the calibration of
// the model. Package attribute knows the kinds of attributes, package blocking which names meet. It decides
// nothing: package registry does.
//
// Source: Context Architecture, section on the Named Entity Resolution model; Fellegi and Sunter, A theory for record
// linkage (JASA 1969).
package similarity
