// Texts that JSON, Go and UTF-16 write or sort in ways of their own, for property tests.

import fc from 'fast-check'

export const ODD = fc.constantFrom(
  'a',
  'b',
  ' ',
  '!',
  '"',
  '\\',
  '<',
  '&',
  '\n',
  '\b',
  '\u0000',
  '\u2028',
  'é',
  '\uffff',
  '😀',
)
