// Runs a verb for every object of a file. After a failure it prints the error and goes on with the next object, as
// kubectl does.

import type { PlacedDocument } from '../access/documents.ts'
import { faultOf } from '../access/failure.ts'
import { Fault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'

/** Returns the exit code of the first failure, else 0. */
export async function eachDocument(
  documents: readonly PlacedDocument[],
  { url, terminal }: { readonly url: string; readonly terminal: Terminal },
  work: (document: PlacedDocument['object']) => Promise<void>,
): Promise<number> {
  let code = 0
  for (const { object } of documents) {
    try {
      await work(object)
    } catch (error) {
      const fault = faultOf(error, url)
      if (!(fault instanceof Fault) || documents.length === 1) throw fault
      terminal.error(`homeostat: ${fault.message}\n`)
      code ||= fault.exitCode
    }
  }
  return code
}
