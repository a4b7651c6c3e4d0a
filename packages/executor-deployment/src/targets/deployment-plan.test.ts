import type { UnitState } from '@homeostat/runtimes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planUnits } from './deployment-plan.ts'
import { indexOf, type Owner, unitLabels, unitName } from './unit-identity.ts'

const owner: Owner = { name: 'ml', namespace: 'dev', uid: 'a1b2c3d4-5555', generation: 1 }

/** `2`, `2:old`, `2:old@7` (generation), `2!` (exited). */
function unit(text: string, position = 0): UnitState {
  const [, index = '', hash = 'new', generation = '1', exited] = /^(\d+)(?::(\w+))?(?:@(\d+))?(!)?$/.exec(text) ?? []
  const labels = unitLabels({ ...owner, generation: Number(generation) }, Number(index), hash)
  const id = `${text}#${position}`
  return { id, name: unitName(owner, Number(index)), labels, phase: exited ? 'exited' : 'running' }
}

function plan(replicas: number, units: string) {
  const there = units
    .split(' ')
    .filter((text) => text !== '')
    .map(unit)
  const { remove, stop, start, replace } = planUnits({ replicas, hash: 'new' }, there)
  const texts = (list: readonly UnitState[]) => list.map(({ id }) => id.split('#')[0]).join(' ')
  return { remove: texts(remove), stop: texts(stop), start: start.join(' '), replace: texts(replace) }
}

const NOTHING = { remove: '', stop: '', start: '', replace: '' }

describe('the units of an ExecutorDeployment', () => {
  it.each<[string, number, string, Partial<typeof NOTHING>]>([
    ['all begin', 3, '', { start: '0 1 2' }],
    ['nothing is done when all are there', 3, '0 1 2', {}],
    ['3 to 5 starts exactly two', 5, '0 1 2', { start: '3 4' }],
    ['5 to 1 stops exactly the four with the highest index', 1, '0 1 2 3 4', { stop: '1 2 3 4' }],
    ['to none stops all', 0, '0 1', { stop: '0 1' }],
    ['one that exited makes room for the next', 3, '0 1! 2', { remove: '1!', start: '1' }],
    ['those that exited are removed when nobody is missed', 1, '0 1!', { remove: '1!' }],
    ['a gap is filled', 3, '0 2', { start: '1' }],
    ['a changed template replaces those that stay', 2, '0:old 1:old', { replace: '0:old 1:old' }],
    ['the rest of a replacement goes on where it was', 3, '0 1:old 2:old', { replace: '1:old 2:old' }],
    ['fewer and changed: outdated ones go first', 1, '0:old 1 2:old', { stop: '0:old 2:old' }],
    [
      'of outdated ones the oldest generation goes first',
      1,
      '0:old@1 1:old@3',
      { stop: '0:old@1', replace: '1:old@3' },
    ],
    ['more and changed: missing ones begin, then others are replaced', 3, '0:old', { start: '1 2', replace: '0:old' }],
    ['two with one index are one too many', 2, '0 0', { stop: '0', start: '1' }],
  ])('%s', (_, replicas, units, expected) => {
    expect(plan(replicas, units)).toEqual({ ...NOTHING, ...expected })
  })

  it('become as many as wanted, of the wanted kind, with the least change, and then nothing more is done', () => {
    const units = fc.array(
      fc.tuple(fc.nat(8), fc.constantFrom('new', 'old', 'older'), fc.nat(3), fc.constantFrom('', '!')),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(fc.nat(8), units, (replicas, texts) => {
        const there = texts.map(([index, hash, generation, end], at) =>
          unit(`${index}:${hash}@${generation}${end}`, at),
        )
        const { remove, stop, start, replace } = planUnits({ replicas, hash: 'new' }, there)
        const gone = new Set([...remove, ...stop, ...replace])
        const after = [
          ...there.filter((one) => !gone.has(one)),
          ...[...start, ...replace.map(indexOf)].map((index) => unit(`${index}:new`)),
        ]
        expect(after).toHaveLength(replicas)
        expect(new Set(after.map(indexOf)).size).toBe(replicas)
        const rest = planUnits({ replicas, hash: 'new' }, after)
        expect([rest.remove, rest.stop, rest.start, rest.replace]).toEqual([[], [], [], []])
        const live = there.filter(({ phase }) => phase !== 'exited')
        const distinct = new Set(live.map(indexOf)).size
        expect(start).toHaveLength(Math.max(0, replicas - distinct))
        expect(stop).toHaveLength(live.length - Math.min(replicas, distinct))
      }),
    )
  })
})
