// Decides whether an object that the caller wrote matches an informer's selectors. The result is `unknown` for field
// selectors that only the server can evaluate.

import { type LabelSelector, parseFieldSelector, parseLabelSelector } from '@homeostat/meta'
import type { ApiObject } from '../api/kinds.ts'
import type { Selection } from './informer.ts'

export type Match = 'yes' | 'no' | 'unknown'

type Test = (object: ApiObject) => Match

export function selectionMatch({ labelSelector, fieldSelector }: Selection): Test {
  const tests: Test[] = []
  if (labelSelector !== undefined) tests.push(labelTest(labelSelector))
  if (fieldSelector !== undefined) tests.push(...fieldTests(fieldSelector))
  return (object) => {
    const matches = tests.map((test) => test(object))
    if (matches.includes('no')) return 'no'
    return matches.includes('unknown') ? 'unknown' : 'yes'
  }
}

function labelTest(text: string): Test {
  const selector = parsed<LabelSelector>(() => parseLabelSelector(text))
  if (selector === undefined) return () => 'unknown'
  return ({ metadata }) => verdict(selector.matches(metadata.labels))
}

function fieldTests(text: string): Test[] {
  const selector = parsed(() => parseFieldSelector(text))
  if (selector === undefined) return [() => 'unknown']
  return selector.requirements.map(({ field, op, value }) => {
    if (field !== 'metadata.name' && field !== 'metadata.namespace') return () => 'unknown'
    const key = field === 'metadata.name' ? 'name' : 'namespace'
    return ({ metadata }) => verdict(((metadata[key] ?? '') === value) === (op === '='))
  })
}

/** The server refuses an invalid selector and says why. */
function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}

function verdict(holds: boolean): Match {
  return holds ? 'yes' : 'no'
}
