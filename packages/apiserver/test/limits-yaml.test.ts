import { describe, expect, it } from 'vitest'
import { NOTES, notes } from './definitions.ts'
import { serveUnblocked } from './server-aside.ts'

const server = await serveUnblocked()
await server.define(notes)
const YAML = { type: 'application/yaml' }

describe('YAML', () => {
  const small = (spec: string) => `apiVersion: example.com/v1\nkind: Note\nmetadata: {name: yaml}\nspec: ${spec}\n`

  it('waits for a thread to read it, and is refused when too much waits', async () => {
    const large = (name: string) =>
      `apiVersion: example.com/v1\nkind: Note\nmetadata: {name: ${name}}\nspec: {}\n#${' '.repeat(9 << 10)}\n`
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => server.post(NOTES, large(`y${i}`), YAML)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(answers.filter(({ status }) => status === 201).length).toBe(50 - refused.length)
  })

  it('that multiplies itself is refused', async () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (let i = 1; i < 9; i++)
      lines.push(
        `${'abcdefghi'[i]}: &${'abcdefghi'[i]} [${Array(9)
          .fill(`*${'abcdefghi'[i - 1]}`)
          .join(',')}]`,
      )
    const { status, body } = await server.post(NOTES, lines.join('\n'), YAML)
    expect(status).toBe(400)
    expect(body.message).toMatch(/alias/i)
    const nested = ['a: &a {x: x}']
    for (let i = 1; i < 200; i++)
      nested.push(`k${i}: &k${i} {a: *${i === 1 ? 'a' : `k${i - 1}`}, b: *${i === 1 ? 'a' : `k${i - 1}`}}`)
    expect((await server.post(NOTES, nested.join('\n'), YAML)).status).toBe(400)
    expect((await server.post(NOTES, 'a: &a [*a]', YAML)).status).toBe(400)
    const padded = `${lines.join('\n')}\n#${' '.repeat(40 << 10)}`
    expect((await server.post(NOTES, padded, YAML)).status).toBe(400)
  })

  it('nested too deep is refused', async () => {
    for (const depth of [2000, 20_000]) {
      expect(
        (await server.post(NOTES, small('['.repeat(depth) + ']'.repeat(depth)), YAML)).status,
        `flow ${depth}`,
      ).toBe(400)
      expect((await server.post(NOTES, small(`\n${'- '.repeat(depth)}x`), YAML)).status, `block ${depth}`).toBe(400)
    }
  })

  it('that is merely odd is read or refused, quickly', async () => {
    const odd = [
      '"'.repeat(30_000),
      `${'? '.repeat(10_000)}x`,
      '&a '.repeat(10_000),
      '!!'.repeat(15_000),
      '{'.repeat(32_000),
      `${'x: '.repeat(10_000)}`,
      '- '.repeat(16_000),
      `a: |\n${' '.repeat(30_000)}`,
      `a: ${'9'.repeat(30_000)}`,
      `a: ${'1:'.repeat(15_000)}1`,
      '%'.repeat(30_000),
      '---\n'.repeat(8000),
      `[${'a,'.repeat(16_000)}]`,
      `{${Array.from({ length: 4000 }, (_, i) => `k${i}: 1`).join(',')}}`,
      '\t'.repeat(30_000),
      '\u0000'.repeat(1000),
    ]
    const answers = await Promise.all(odd.map((text) => server.post(NOTES, text, YAML)))
    for (const [i, { status }] of answers.entries()) expect(status, odd[i]?.slice(0, 10)).toBe(400)
  })

  it('of more than 32 KiB is read aside, and given up when it takes too long', async () => {
    const { status, body } = await server.post(NOTES, small(`{text: "${'x'.repeat(100_000)}"}`), YAML)
    expect(status).toBe(201)
    expect(String(body.spec.text)).toHaveLength(100_000)
    const keys = Array.from({ length: 120_000 }, (_, i) => `k${i}: [1, {a: b}]`).join('\n')
    const large = await server.post(NOTES, keys, YAML)
    expect(large.status).toBe(400)
  })

  it('says no to tags that would make something', async () => {
    for (const value of ['!!js/function "x"', '!!python/object:os.system x', '!!set {a, b}', '!custom x'])
      expect((await server.post(NOTES, small(`{a: ${value}}`), YAML)).status, value).toBeLessThan(500)
    const stamp = await server.patch(`${NOTES}/yaml`, {})
    expect(stamp.status).toBeLessThan(500)
  })
})
