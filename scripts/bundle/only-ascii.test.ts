import { expect, test } from 'vitest'
import { escapeBeyondAscii } from './only-ascii.ts'

test('a program without characters beyond ASCII does the same', () => {
  const code = `(() => { const größe = "5 µs…"; return [größe, \`\u{10ffff}\`, /^[µμ]s$/.test("μs"), /^\u{1f600}$/u.test("\u{1f600}")] })()`
  const escaped = escapeBeyondAscii(code)
  expect(escaped).toMatch(/^[\0-\x7f]*$/)
  // biome-ignore lint/security/noGlobalEval: the text is this test's own
  const run = eval
  expect(run(escaped)).toEqual(run(code))
  expect(run(escaped)).toEqual(['5 µs…', '\u{10ffff}', true, true])
})
