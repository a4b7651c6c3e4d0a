import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonPath } from './json-path.ts'

const find = (path: string, document: unknown) => parseJsonPath(path).find(document)

/** The example object of the Kubernetes documentation on JSONPath. */
const documentation = {
  kind: 'List',
  items: [
    {
      kind: 'None',
      metadata: { name: '127.0.0.1', labels: { 'kubernetes.io/hostname': '127.0.0.1' } },
      status: { capacity: { cpu: '4' }, addresses: [{ type: 'LegacyHostIP', address: '127.0.0.1' }] },
    },
    {
      kind: 'None',
      metadata: { name: '127.0.0.2' },
      status: {
        capacity: { cpu: '8' },
        addresses: [
          { type: 'LegacyHostIP', address: '127.0.0.2' },
          { type: 'another', address: '127.0.0.3' },
        ],
      },
    },
  ],
  users: [
    { name: 'myself', user: {} },
    { name: 'e2e', user: { username: 'admin', password: 'secret' } },
  ],
}

describe('parseJsonPath on the examples of the Kubernetes documentation', () => {
  it.each([
    ['{.kind}', ['List']],
    ["{['kind']}", ['List']],
    ['{$.kind}', ['List']],
    ['{..name}', ['127.0.0.1', '127.0.0.2', 'myself', 'e2e']],
    ['{.items[*].metadata.name}', ['127.0.0.1', '127.0.0.2']],
    ['{.users[0].name}', ['myself']],
    ["{.items[*]['metadata.name', 'status.capacity']}", ['127.0.0.1', { cpu: '4' }, '127.0.0.2', { cpu: '8' }]],
    ['{.users[?(@.name=="e2e")].user.password}', ['secret']],
    ['{.items[0].metadata.labels.kubernetes\\.io/hostname}', ['127.0.0.1']],
    ['{@}', [documentation]],
    ['{.users[-1].name}', ['e2e']],
    ['{.users[0:2].name}', ['myself', 'e2e']],
    ['{.users[:1].name}', ['myself']],
    ['{.users[::2].name}', ['myself']],
    ['{.items[*].status.addresses[?(@.type=="LegacyHostIP")].address}', ['127.0.0.1', '127.0.0.2']],
  ])('%s', (path, expected) => {
    expect(find(path, documentation)).toEqual(expected)
  })
})

describe('parseJsonPath on printer columns', () => {
  const object = {
    spec: { replicas: 3, big: 2n ** 60n, on: false, none: null, ports: [{ port: 80 }, { port: 443, name: 'https' }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Synced', status: 'False' },
      ],
    },
    data: { 'ca.crt': 'PEM', 'odd key': 1 },
  }

  it.each([
    ['.spec.replicas', [3]],
    ['.spec.big', [2n ** 60n]],
    ['.spec.on', [false]],
    ['.spec.none', [null]],
    ['.spec.absent.deeper', []],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'Synced')].status", ['False']],
    ['.status.conditions[?(@.type=="Gone")].status', []],
    ['.spec.ports[?(@.name)].port', [443]],
    ['.spec.ports[?(@.port > 100)].port', [443]],
    ['.spec.ports[?(@.port<=80)].port', [80]],
    ['.spec.ports[?(@.port!=80)].port', [443]],
    ['.spec.ports[?(@.port==$.spec.ports[0].port)].port', [80]],
    ['.spec.ports[?(@.port=="80")].port', []],
    ['.spec.ports[0,1].port', [80, 443]],
    ['.spec.ports[5].port', []],
    ['.spec.ports[0:9].port', [80, 443]],
    ['.data.ca\\.crt', ['PEM']],
    [".data['ca\\.crt']", ['PEM']],
    ['.data["ca\\.crt"]', ['PEM']],
    [".data['odd\\ key']", [1]],
    ['.data.*', ['PEM', 1]],
    ['.spec.ports.port', []],
    ['.', [object]],
  ])('%s', (path, expected) => {
    expect(find(path, object)).toEqual(expected)
  })

  it('follows own properties only', () => {
    expect(find('.constructor', {})).toEqual([])
    expect(find('.__proto__', {})).toEqual([])
    expect(find('.length', [1])).toEqual([])
  })
})

describe('parseJsonPath on bad paths', () => {
  it.each([
    '',
    'spec.replicas',
    '.spec.',
    '.spec[',
    '.spec[]',
    '.spec[abc]',
    '.spec[0:1:0]',
    '.spec[?(@.a==)]',
    '.spec[?(@.a==1==2)]',
    '.spec[?(@.a==1 && @.b==2)]',
    ".spec['a]",
    '.spec a',
    '{range .items[*]}{.a}{end}',
    `.${'a'.repeat(5000)}`,
    `${'.a[?(@'.repeat(20)}${')]'.repeat(20)}`,
  ])('refuses %j', (path) => {
    expect(() => parseJsonPath(path)).toThrow(Error)
  })

  it('either parses or throws an Error with a message, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'.a[]*?(@=")\'\\,:0-1<$ {}') })
    fc.assert(
      fc.property(text, (path) => {
        try {
          parseJsonPath(path).find({ a: [{ a: 1 }, { a: [0, 'a'] }] })
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect((error as Error).message).toContain('JSON path')
        }
      }),
      { numRuns: 500, examples: [['[0:0:0]'], ['.a[?(1==2==3)]']] },
    )
  })

  it('ends early on a path that would visit a large object again and again', () => {
    const wide = Array.from({ length: 1000 }, () => ({ a: { a: { a: {} } } }))
    for (const path of [
      '..a..a..a..a..a..a',
      '[@,@,@,@,@,@,@,@,@,@]'.repeat(9),
      `${'[@,@,@,@,@,@,@,@,@,@]'.repeat(3)}[*]`,
    ]) {
      expect(find(path, wide).length).toBeLessThan(110_000)
    }
  })
})
