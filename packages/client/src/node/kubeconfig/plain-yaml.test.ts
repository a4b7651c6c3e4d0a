import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readPlainYaml } from './plain-yaml.ts'

const OURS = `apiVersion: v1
kind: Config
current-context: homeostat
clusters:
  - name: homeostat
    cluster:
      server: "http://127.0.0.1:3000"
      # There is no TLS on loopback.
      insecure-skip-tls-verify: true
contexts:
  - name: homeostat
    context:
      cluster: homeostat
      namespace: default
users:
  - name: homeostat
    user: {}
`

const KUBECTLS = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTi+/==
    server: https://10.0.0.1:6443
  name: one
- cluster:
    server: https://10.0.0.2:6443
  name: two
contexts: []
current-context: ""
kind: Config
preferences: {}
users:
- name: me
  user:
    tokenFile: /var/run/token
`

test.each([OURS, KUBECTLS])('a kubeconfig as it is usually written is read as the real reader does', (text) => {
  expect(readPlainYaml(text)).toEqual(parse(text))
})

test.each([
  '',
  '{}',
  '- a: b',
  'a: 1',
  'a: 1e5',
  'a: null',
  'a: yes',
  'a:',
  'a: |\n  text',
  "a: 'b'",
  'a: "b\\n"',
  'a: &x b',
  'a: *x',
  'a: !t b',
  'a: [b]',
  'a: b # said',
  'a: b\n  c',
  'a: b\na: c',
  'a: b:',
  'a:\n  b: c\n d: e',
  'a:\n- b',
  'a:\n- - b: c',
  '  a: b',
  '---\na: b',
  'a: b\n---\nc: d',
  '__proto__: a',
  '\ta: b',
])('%j is left to the real reader', (text) => {
  expect(readPlainYaml(text)).toBeUndefined()
})

const word = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, word, fc.string(), fc.boolean(), tie('list'), tie('mapping')),
  list: fc.array(tie('mapping'), { maxLength: 3 }),
  mapping: fc.dictionary(word, tie('value'), { maxKeys: 4 }),
}))

test('whatever it reads, the real reader reads the same', () => {
  const styles = fc.record({ indent: fc.constantFrom(2, 4), indentSeq: fc.boolean() })
  let read = 0
  fc.assert(
    fc.property(fc.dictionary(word, value, { minKeys: 1, maxKeys: 4 }), styles, (object, style) => {
      const text = stringify(object, style)
      const found = readPlainYaml(text)
      if (found === undefined) return
      read++
      expect(found).toEqual(parse(text))
    }),
    { numRuns: 300 },
  )
  expect(read).toBeGreaterThan(50)
})

test('whatever lines it is given, it never reads what the real reader refuses or reads in another way', () => {
  const piece = fc.constantFrom(
    'a: b',
    'b:',
    '- a: b',
    '-',
    '  ',
    ' ',
    '    ',
    '- ',
    'c: "d"',
    '# x',
    '"',
    ': ',
    'd: {}',
  )
  const line = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = lines.join('\n')
      const found = readPlainYaml(text)
      if (found !== undefined) expect(found).toEqual(parse(text))
    }),
    { numRuns: 2000 },
  )
})
