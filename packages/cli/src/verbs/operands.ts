// Checks how many arguments stand after a verb.

import { usageFault } from '../fault.ts'

export function noOperands(operands: readonly string[]): void {
  if (operands.length > 0) throw usageFault(`unexpected argument '${operands[0]}'`)
}

export function oneFile(operands: readonly string[], verb: string): string {
  const [file, extra] = operands
  if (file === undefined || file === '') throw usageFault(`name the file: homeostat ${verb} FILE`)
  if (extra !== undefined) throw usageFault(`unexpected argument '${extra}'`)
  return file
}
