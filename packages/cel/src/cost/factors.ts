// The units in which Kubernetes counts. Estimates and charges both use them.

/** Per character of a text that is walked through. */
export const traversal = 0.1
/** Per character of a regular expression, which is what is known of its size. */
export const regexLength = 0.25
export const listCreation = 10
export const mapCreation = 30
export const structCreation = 40
/** Of a question to the authorizer: two fit into one expression. */
export const authorization = 350_000
/** What the estimate takes for the regular expression behind a format. */
export const longestFormatRegex = 128
export const longestFormat = 64
