import { StatusError } from '@homeostat/meta'
import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

function failure(code: number, ...fields: string[]): StatusError {
  const causes = fields.map((field) => ({ reason: 'FieldValueInvalid', message: `no: ${field}`, field }))
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    details: { causes },
  })
}

test.each<[string, unknown, { final: boolean; causes: readonly (readonly [number, string])[] } | undefined]>([
  ['a conflict', failure(409, 'finished[1]'), { final: true, causes: [[1, 'no: finished[1]']] }],
  [
    'several',
    failure(409, 'finished[0]', 'finished[12].attempt'),
    {
      final: true,
      causes: [
        [0, 'no: finished[0]'],
        [12, 'no: finished[12].attempt'],
      ],
    },
  ],
  ['one without a name', failure(409, 'max'), { final: true, causes: [] }],
  [
    'something unreadable',
    failure(422, 'finished[0].output', 'finished[0].errors'),
    { final: false, causes: [[0, 'no: finished[0].output']] },
  ],
  ['something too large', failure(413), { final: false, causes: [] }],
  ['a busy server', failure(429), undefined],
  ['a missing executor', failure(404), undefined],
  ['no answer', new Error('broken'), undefined],
])('%s', (_, error, expected) => {
  const refusal = refusalOf(error)
  expect(refusal && { final: refusal.final, causes: [...refusal.causes] }).toEqual(expected)
})
