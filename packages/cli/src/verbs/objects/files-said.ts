// Checks that files are named, for the verbs that take nothing else.

import { Fault } from '../../fault.ts'

export function filesSaid(
  { filename }: { readonly filename: readonly string[] },
  operands: readonly string[],
): readonly string[] {
  if (operands.length > 0) throw new Fault(`Unexpected args: [${operands.join(' ')}]; name files with -f`)
  if (filename.length === 0) throw new Fault('must specify -f FILE, -f - for standard input, or -k FOLDER')
  return filename
}
