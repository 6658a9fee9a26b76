package tenure

// Remark is the predicate of what somebody said and that is no property of anything: its value is the text, its subject
// what was named, else who spoke.
const Remark = "remark"
