// Checks how many arguments stand after a verb.

import { usageFault } from '../fault.ts'

export function noOperands(operands: readonly string[]): void {
  if (operands.length > 0) throw usageFault(`unexpected argument '${operands[0]}'`)
}

export function atMostOne([word, extra]: readonly string[]): string | undefined {
  if (extra !== undefined) throw usageFault(`unexpected argument '${extra}'`)
  return word
}

export function oneFile(operands: readonly string[], verb: string): string {
  return one(operands, verb, 'file', 'FILE')
}

export function oneName(operands: readonly string[], verb: string): string {
  return one(operands, verb, 'one', 'NAME')
}

function one([word, extra]: readonly string[], verb: string, what: string, placeholder: string): string {
  if (word === undefined || word === '') throw usageFault(`name the ${what}: homeostat ${verb} ${placeholder}`)
  if (extra !== undefined) throw usageFault(`unexpected argument '${extra}'`)
  return word
}
