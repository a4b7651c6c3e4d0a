import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dns1035Label, dns1123Label, dns1123Subdomain, labelValue, pathSegmentName, qualifiedName } from './names.ts'

const long = (length: number) => 'a'.repeat(length)

describe.each([
  ['dns1123Label', dns1123Label, ['a', 'a-b', '0', '123-abc', long(63)], ['', 'A', 'a_b', '-a', 'a-', 'a.b', long(64)]],
  ['dns1123Subdomain', dns1123Subdomain, ['a', 'a.b-c.0', long(253)], ['', 'A', 'a..b', '.a', 'a.', 'a_b', long(254)]],
  ['dns1035Label', dns1035Label, ['a', 'a-1', long(63)], ['', '1a', 'A', 'a-', 'a.b', long(64)]],
  ['pathSegmentName', pathSegmentName, ['a', 'A:b', '...', 'system:node'], ['.', '..', 'a/b', 'a%b']],
  [
    'qualifiedName',
    qualifiedName,
    ['a', 'A_b.c-d', 'example.com/a', `${long(253)}/${long(63)}`],
    ['', '-a', 'a-', '/a', 'a/', 'a/b/c', 'Example.com/a', 'bad key!', long(64), `${long(254)}/a`],
  ],
  ['labelValue', labelValue, ['', 'a', 'A_b.c-d', long(63)], ['-a', 'a-', 'bad value!', 'a/b', long(64), 'é']],
])('%s', (_name, rule, good, bad) => {
  it.each(good)('accepts %j', (value) => {
    expect(rule(value)).toEqual([])
  })
  it.each(bad)('refuses %j', (value) => {
    expect(rule(value)).not.toEqual([])
  })
})

describe('name messages', () => {
  it('give the rule, examples and the expression', () => {
    expect(dns1123Label('Bad')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ])
  })

  it('say that dots are the trouble when they are', () => {
    expect(dns1123Label('a.b')).toEqual(['must not contain dots'])
  })

  it('count bytes', () => {
    expect(dns1123Subdomain(long(254))).toEqual(['must be no more than 253 characters'])
  })

  it('name the part of a qualified name', () => {
    expect(qualifiedName('/a')).toEqual(['prefix part must be non-empty'])
    expect(qualifiedName('a/')[0]).toBe('name part must be non-empty')
    expect(qualifiedName('A/b')[0]).toMatch(/^prefix part a lowercase RFC 1123 subdomain/)
  })
})

describe('prefixes of generated names', () => {
  it('may end in a dash', () => {
    for (const rule of [dns1123Label, dns1123Subdomain, dns1035Label]) {
      expect(rule('gen-')).not.toEqual([])
      expect(rule('gen-', true)).toEqual([])
      expect(rule('Gen-', true)).not.toEqual([])
      expect(rule('-', true)).not.toEqual([])
    }
    expect(pathSegmentName('.', true)).toEqual([])
  })
})

describe('hostile names', () => {
  it('are judged without backtracking for ever, however long they are', () => {
    for (const rule of [dns1123Label, dns1123Subdomain, dns1035Label, qualifiedName, labelValue]) {
      expect(rule(`${'a-.'.repeat(1_000_000)}!`)).not.toEqual([])
      expect(rule(`${'a-'.repeat(7_000)}!`)).not.toEqual([])
    }
  })

  it('never pass two rules that exclude each other', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        if (dns1035Label(value).length === 0) expect(dns1123Label(value)).toEqual([])
        if (dns1123Label(value).length === 0) expect(dns1123Subdomain(value)).toEqual([])
        if (dns1123Label(value).length === 0) expect(labelValue(value)).toEqual([])
      }),
    )
  })
})
