// Package chatlog reads files of chats: JSON lines of messages, and the exports of two assistants.
//
// Input is a file; output are its conversations, in the order of their first messages, each with its turns in the order
// of time. A turn that cannot be used says why, and where in the file it is, and does not stop the others. The
// package decides nothing of what the words mean, and keeps of a file only where its parts are: a file may be
// larger than the memory, a line or a conversation of an export may not.
package chatlog
