// Package amend carries out what people and agents say of beliefs that are already there: that one never held, has ended
// or still holds; the settlement of a quarantine case; and the definition of vocabularies, by which beliefs are compared.
//
// Input is the command and a transaction; output is the amendment and the standings that follow from it, put into the
// transaction. Its rule is who may say what: nobody amends what a stronger authority stated.
package amend
