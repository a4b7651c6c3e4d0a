import { expect, test } from 'vitest'
import { readSamples, sumOf } from './prometheus-text.ts'

const TEXT = `# HELP a_total Things.
# TYPE a_total counter
a_total 3
a_total{kind="x",path="C:\\\\dir \\"q\\" \\n{}"} 1.5e3
b{le="+Inf",} +Inf 1700000000
c NaN
broken{kind="x} 4
broken
no value {x="1"}
skipped_bucket{le="1"} 4
`

test('lines become samples; what is broken is left out', () => {
  const samples = readSamples(TEXT, (name) => !name.endsWith('_bucket'))
  expect(samples).toEqual([
    { name: 'a_total', labels: {}, value: 3 },
    { name: 'a_total', labels: { kind: 'x', path: 'C:\\dir "q" \n{}' }, value: 1500 },
    { name: 'b', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
  ])
  expect(sumOf(samples, 'a_total')).toBe(1503)
  expect(sumOf(samples, 'a_total', ({ kind }) => kind === 'x')).toBe(1500)
  expect(sumOf(samples, 'none')).toBeUndefined()
})
