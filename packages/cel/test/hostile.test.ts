// Hostile expressions and values: nothing but a CelError comes out, compiling ends soon, and no evaluation goes beyond its budget by more
// than a step.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCelError } from '../src/cel-error.ts'
import { createEnvironment } from '../src/environment.ts'
import { dynType, intType, listOf, mapOf, objectType, optionalOf, stringType } from '../src/types/cel-type.ts'

const self = objectType('self', {
  i: intType,
  s: stringType,
  l: listOf(stringType, 10),
  n: listOf(intType, 10),
  m: mapOf(stringType, intType, 10),
  d: dynType,
})
const environment = createEnvironment({ variables: { self, other: dynType, maybe: optionalOf(intType) } })
const everything = createEnvironment({
  variables: { self, other: dynType, maybe: optionalOf(intType) },
  libraries: 'all',
})

const word = fc.constantFrom(
  ...'self other maybe i s l n m d x y 0 1 -1 9223372036854775807 1u 2.5 "a" b"a" true false null [ ] { } ( ) . .? , : ? + - * / % < <= == != && || ! in [? all( exists( map( filter( exists_one( transformMap( sortBy( optMap( has( size( string( int( matches( split( format( quantity( ip( cidr( semver( type( dyn( timestamp( duration( lists.range( sets.contains( .sort() .distinct() .first() .orValue( .value() .flatten() .getHours() .max() .sum()'.split(
    ' ',
  ),
)

/** Text that a grammar makes, so that most of it compiles. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(
      'self.i',
      'self.s',
      'self.l',
      'self.n',
      'self.m',
      'self.d',
      'other',
      'maybe',
      'x',
      '1',
      '"a"',
      '[]',
      '{}',
      'null',
    ),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('+', '-', '*', '/', '%', '==', '<', '&&', '||', 'in'),
        tie('expression'),
      )
      .map((p) => `(${p.join(' ')})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('all', 'exists', 'map', 'filter', 'exists_one'), tie('expression'))
      .map(([a, f, b]) => `${a}.${f}(x, ${b})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(dyn(${a}) ? dyn(${b}) : dyn(${c}))`),
    fc
      .tuple(fc.constantFrom('size', 'string', 'int', 'dyn', 'type', 'quantity', 'isIP', 'url'), tie('expression'))
      .map(([f, a]) => `${f}(dyn(${a}))`),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom('sort()', 'split("")', 'matches("a*")', 'join()', 'reverse()', 'trim()', '?x', 'i'),
      )
      .map(([a, f]) => `dyn(${a}).${f}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `dyn(${a})[${b}]`),
  ),
}))

const values = fc.record({
  self: fc.record(
    {
      i: fc.oneof(fc.integer(), fc.bigInt()),
      s: fc.string(),
      l: fc.array(fc.string()),
      n: fc.array(fc.integer()),
      m: fc.dictionary(fc.string(), fc.integer()),
      d: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  other: fc.jsonValue(),
  maybe: fc.option(fc.integer(), { nil: undefined }),
})

function isHarmless(text: string, bindings: Record<string, unknown>, limit: number): void {
  for (const one of [environment, everything]) {
    const { program, issues } = one.compile(text)
    if (program === undefined) {
      expect(issues?.text).toBeTypeOf('string')
      continue
    }
    const { error, cost } = program.evaluate(bindings, limit)
    if (error === undefined) expect(cost).toBeLessThanOrEqual(limit)
    else expect(isCelError(error)).toBe(true)
    if (cost > limit) expect(error?.code).toBe('CostLimitExceeded')
  }
}

describe('hostile text', () => {
  it('never lets anything but an issue or a CelError out', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), values, (words, bindings) =>
        isHarmless(words.join(' '), bindings, 1000),
      ),
      {
        numRuns: 1500,
      },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => isHarmless(text, {}, 1000)),
      { numRuns: 500 },
    )
  })

  it('never lets anything but a CelError out of what compiles', () => {
    fc.assert(
      fc.property(expression, values, (text, bindings) => isHarmless(text, bindings, 1000)),
      { numRuns: 1500 },
    )
  })

  it.each([
    ['parentheses', '('.repeat(5000) + ')'.repeat(5000)],
    ['lists', '['.repeat(5000) + ']'.repeat(5000)],
    ['a sum', Array.from({ length: 5000 }, () => '1').join('+')],
    ['selections', `other${'.a'.repeat(5000)}`],
    ['conditions', `${'true ? 1 : '.repeat(5000)}2`],
    ['chains in parentheses', `${'('.repeat(200)}1${`${'+1'.repeat(200)})`.repeat(200)}`],
    ['doubled targets', `maybe${'.optMap(x, x)'.repeat(40)}`],
    ['a long text', `"${'a'.repeat(200_000)}"`],
    ['loops', `${'self.l.all(x, '.repeat(300)}true${')'.repeat(300)}`],
  ])('refuses a depth or size without bound: %s', (_name, text) => {
    expect(environment.compile(text).issues?.text).toBeTypeOf('string')
  })

  it.each([
    ['signs', `${'!'.repeat(5001)}true`],
    ['a long conjunction', Array.from({ length: 3000 }, () => 'true').join(' && ')],
    ['a long list', `[${Array.from({ length: 5000 }, (_, i) => i).join(', ')}].size() > 1`],
    ['empty lists in lists', `[${Array.from({ length: 200 }, () => '[[[]]]').join(', ')}] == []`],
  ])('compiles what is only long: %s', (_name, text) => {
    const { program } = environment.compile(text)
    expect(program?.evaluate({}).error).toBeUndefined()
  })

  it('types nested parameters without exponential work', () => {
    const text = Array.from({ length: 60 }, () => '[[], [[]]]').reduce((inner, outer) => `[${inner}, ${outer}]`)
    expect(environment.compile(`${text} == []`).issues?.text ?? '').toBeTypeOf('string')
  })
})

describe('the budget', () => {
  const long = Array.from({ length: 100_000 }, (_, i) => `${i}`)

  it.each([
    'self.l.all(x, self.l.all(y, x != y || true))',
    'self.l.map(x, self.l + self.l).size() > 0',
    'self.l.map(x, self.l.map(y, x + y)).size() > 0',
    'self.l.sort().size() > 0',
    'self.l.map(x, [x]).distinct().size() > 0',
    'sets.contains(self.l.map(x, [x]), self.l.map(x, [x]))',
    'lists.range(1000000000).size() > 0',
    'self.l.all(x, self.l.join("").matches("(a+)+$") || true)',
    'self.l.exists(x, [x] in self.l.map(y, [y + "!"]))',
    'self.l.transformMap(i, x, x).all(k, v, self.l.exists(z, z == v + "!") || true)',
  ])('stops %s', (text) => {
    const { program } = environment.compile(text)
    const { error, cost } = program?.evaluate({ self: { l: long } }) ?? {}
    expect(error?.code).toBe('CostLimitExceeded')
    expect(cost).toBeGreaterThan(1_000_000)
  })

  it('reads no property that an object only inherits', () => {
    const { program } = environment.compile('has(other.constructor) || has(self.m.toString) || "valueOf" in self.m')
    expect(program?.evaluate({ other: {}, self: { m: {} } }).value).toBe(false)
    expect(environment.compile('self.constructor == 1').issues?.text).toContain('undefined field')
    expect(environment.compile('__proto__ == 1').issues?.text).toContain('undeclared reference')
  })

  it('takes a failing getter as the failure of the expression', () => {
    const { program } = environment.compile('other.x == 1')
    const other = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('broken')
      },
    })
    expect(program?.evaluate({ other }).error?.message).toBe('broken')
  })
})

describe('what takes long and what Kubernetes charges one unit for', () => {
  const evaluate = (text: string, given: object) => {
    const { program, issues } = environment.compile(text)
    if (program === undefined) throw new Error(issues.text)
    return program.evaluate({ self: given, other: [] })
  }

  it('time zones that a value brings cost more after the first hundred', () => {
    const names = Array.from({ length: 400 }, (_, index) => `Nowhere/${index}`)
    const text = "self.l.all(x, self.s == '' || timestamp('2024-01-01T00:00:00Z').getHours(x) >= 0 || true)"
    expect(evaluate(text, { l: names.slice(0, 90), s: 'a' }).cost).toBeLessThan(2000)
    expect(evaluate(text, { l: names, s: 'a' }).cost).toBeGreaterThan(300 * 2500)
  })

  it('long texts that are walked through again and again use up the budget', () => {
    const s = 'x'.repeat(500_000)
    const n = Array.from({ length: 100_000 }, (_, index) => index)
    for (const step of ['self.s.charAt(499999) == "x"', 'size(self.s) > 0']) {
      expect(evaluate(`self.n.all(i, ${step})`, { s, n }).error?.code).toBe('CostLimitExceeded')
      expect(evaluate(`self.n.all(i, ${step})`, { s: 'x'.repeat(500), n }).error?.code).not.toBe('CostLimitExceeded')
    }
  })

  it('so do long versions and addresses that were read once', () => {
    const everywhere = createEnvironment({ variables: { self }, libraries: 'all' })
    const ends = (text: string, s: string) => {
      const { program, issues } = everywhere.compile(text)
      if (program === undefined) throw new Error(issues.text)
      const n = Array.from({ length: 2000 }, (_, index) => index)
      return program.evaluate({ self: { s, n } }, 50_000).error?.code
    }
    const version = (length: number) => `1.0.0-${'a'.repeat(length)}`
    const pair = '[semver(self.s), semver(self.s + "b")].map(v, v)'
    const address = (length: number) => `https://a.b/?${'a=b&'.repeat(length / 4)}`
    for (const [text, of] of [
      [`[${pair}].all(p, self.n.all(x, p[0].compareTo(p[1]) != 0))`, version],
      [`[${pair}].all(p, self.n.all(x, p[0] != p[1]))`, version],
      ['[url(self.s)].all(v, self.n.all(x, v.getQuery() != {}))', address],
    ] as const) {
      expect(ends(text, of(200_000))).toBe('CostLimitExceeded')
      expect(ends(text, of(400))).not.toBe('CostLimitExceeded')
    }
  })

  it('a query with one name many times is read in one walk, and one with an escape in a long text at all', () => {
    const everywhere = createEnvironment({ variables: { self }, libraries: 'all' })
    const names = (s: string) => {
      const { program, issues } = everywhere.compile('url(self.s).getQuery().map(name, name)[0].size()')
      if (program === undefined) throw new Error(issues.text)
      return program.evaluate({ self: { s } }).value
    }
    // Quadratic, this took minutes.
    expect(names(`https://a.b/?${'a=b&'.repeat(500_000)}`)).toBe(1)
    expect(names(`https://a.b/?%41${'a'.repeat(1_000_000)}=b`)).toBe(1_000_001)
  })

  it('white space inside a text is looked at once', () => {
    const s = `x${' '.repeat(2_000_000)}x`
    expect(evaluate('self.s.trim() == self.s', { s }).value).toBe(true)
  })
})
