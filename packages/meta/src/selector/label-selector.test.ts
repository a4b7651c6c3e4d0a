import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStatusError } from '../status/status-error.ts'
import { parseLabelSelector } from './label-selector.ts'

const objects = { a: { app: 'x', tier: 'web' }, b: { app: 'y' }, c: {}, d: undefined, n: { size: '10' } }
const matching = (text: string) => {
  const selector = parseLabelSelector(text)
  return Object.entries(objects)
    .filter(([, labels]) => selector.matches(labels))
    .map(([name]) => name)
    .join('')
}

describe('parseLabelSelector', () => {
  it.each([
    ['', 'abcdn'],
    ['  ', 'abcdn'],
    ['app=x', 'a'],
    ['app==x', 'a'],
    ['app = x', 'a'],
    ['app!=x', 'bcdn'],
    ['app in (x,y)', 'ab'],
    ['app in ( x , y )', 'ab'],
    ['app in(x)', 'a'],
    ['app notin (x)', 'bcdn'],
    ['app', 'ab'],
    ['!app', 'cdn'],
    ['! app', 'cdn'],
    ['app=x,tier=web', 'a'],
    ['app=x,!tier', ''],
    ['app=', ''],
    ['app!=', 'abcdn'],
    ['app=,tier', ''],
    ['app in ()', ''],
    ['app in (,x)', 'a'],
    ['app in (x,)', 'a'],
    ['app in (x,,y)', 'ab'],
    ['size>9', 'n'],
    ['size<9', ''],
    ['size > 9, size < 11', 'n'],
    ['app>1', ''],
    ['in', ''],
    ['in in (in)', ''],
    ['notin=in', ''],
    ['app\tin\n(x)', 'a'],
    ['toString', ''],
  ])('%j matches %j', (text, expected) => {
    expect(matching(text)).toBe(expected)
  })

  it.each([
    'app in x',
    'a b',
    'app=bad value',
    'app=x,',
    ',app=x',
    ',',
    'app=x,,tier=web',
    '!app=x',
    '!!app',
    '!',
    '=x',
    'app=x=y',
    'app===x',
    'app in (x',
    'app in x)',
    'app in (x y)',
    'app in (=)',
    'app=(x)',
    "app='x'",
    'app="x"',
    'bad!key=x',
    '-a=x',
    'Example.com/a',
    `app=${'a'.repeat(64)}`,
    'app>x',
    'app>',
    'app>99999999999999999999',
    'app=é',
  ])('refuses %j with 400', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 400, reason: 'BadRequest' }) }),
    )
  })

  it('says what it found and what it expected', () => {
    expect(() => parseLabelSelector('a b')).toThrow("found 'b', expected: in, notin, =, ==, !=, gt, lt")
    expect(() => parseLabelSelector('app in x')).toThrow("found 'x', expected: '('")
  })

  it('knows that it is empty', () => {
    expect(parseLabelSelector('').empty).toBe(true)
    expect(parseLabelSelector('a').empty).toBe(false)
  })

  it('writes itself sorted by key', () => {
    expect(parseLabelSelector('z , b in (y,x,y),!a, c!=1,d>5,e==2,f=').toString()).toBe(
      '!a,b in (x,y),c!=1,d>5,e==2,f=,z',
    )
  })
})

describe('parseLabelSelector on any text', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '1', 'in', 'notin', ' ', '=', '!', '(', ')', ',', '<', '>'),
  })
  const labels = fc.dictionary(fc.constantFrom('a', 'b', 'in'), fc.constantFrom('', 'a', '1', 'b'))

  it('parses or answers 400, and its own text means the same', () => {
    fc.assert(
      fc.property(text, labels, (given, some) => {
        let selector: ReturnType<typeof parseLabelSelector>
        try {
          selector = parseLabelSelector(given)
        } catch (error) {
          expect(isStatusError(error, 'BadRequest')).toBe(true)
          return
        }
        const again = parseLabelSelector(selector.toString())
        expect(again.toString()).toBe(selector.toString())
        expect(again.matches(some)).toBe(selector.matches(some))
      }),
      { numRuns: 1000 },
    )
  })

  it('has in and notin as opposites', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'a', 'b', '1')), labels, (values, some) => {
        const set = values.join(',')
        expect(parseLabelSelector(`a in (${set})`).matches(some)).toBe(
          !parseLabelSelector(`a notin (${set})`).matches(some),
        )
      }),
    )
  })
})
