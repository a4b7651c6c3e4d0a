import { expect, it } from 'vitest'
import type { Selection } from './informer.ts'
import { selectionMatch } from './selection-match.ts'

const rows: [Selection, string][] = [
  [{}, 'yes'],
  [{ labelSelector: 'app=web' }, 'yes'],
  [{ labelSelector: 'app in (db)' }, 'no'],
  [{ labelSelector: '((' }, 'unknown'],
  [{ fieldSelector: 'metadata.name=a' }, 'yes'],
  [{ fieldSelector: 'metadata.name!=a' }, 'no'],
  [{ fieldSelector: 'metadata.namespace=other' }, 'no'],
  [{ fieldSelector: 'status.phase=Running' }, 'unknown'],
  [{ fieldSelector: 'status.phase=Running,metadata.name=b' }, 'no'],
  [{ fieldSelector: 'what' }, 'unknown'],
]

it.each(rows)('%o is answered with %s', (selection, match) => {
  const metadata = { name: 'a', namespace: 'default', labels: { app: 'web' } }
  expect(selectionMatch(selection)({ apiVersion: 'v1', kind: 'Thing', metadata })).toBe(match)
})
