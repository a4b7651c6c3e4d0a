import { describe, expect, it } from 'vitest'
import { type OldNode, rerunNodes } from './rerun-nodes.ts'

const old = (
  name: string,
  dependencies: string[],
  how: 'succeeded' | 'failed' | 'never',
  addedBy?: string,
): OldNode => ({
  node: { name, dependencies, funcName: 'f', conditions: { executorType: 't' } },
  succeeded: how === 'succeeded' ? `old-${name}` : undefined,
  ran: how !== 'never',
  addedBy,
})
const plan = (nodes: OldNode[]) => rerunNodes(nodes).map(({ name, reuse }) => (reuse ? `${name}=${reuse}` : name))

describe('a rerun', () => {
  it('reuses what succeeded before the failure', () => {
    const nodes = [
      old('d', ['b', 'c'], 'never'),
      old('b', ['a'], 'failed'),
      old('c', ['a'], 'succeeded'),
      old('a', [], 'succeeded'),
    ]
    expect(plan(nodes)).toEqual(['d', 'b', 'c=old-c', 'a=old-a'])
  })

  it('runs again what succeeded after a failure that was ignored, since its input will be another', () => {
    expect(plan([old('a', [], 'failed'), old('b', ['a'], 'succeeded'), old('c', ['b'], 'succeeded')])).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('reuses what came after a skipped node', () => {
    const nodes = [
      old('a', [], 'succeeded'),
      old('s', ['a'], 'never'),
      old('b', ['a', 's'], 'succeeded'),
      old('c', ['b'], 'failed'),
    ]
    expect(plan(nodes)).toEqual(['a=old-a', 's', 'b=old-b', 'c'])
  })

  it('keeps added nodes only when what added them is reused', () => {
    const nodes = [
      old('a', [], 'succeeded'),
      old('f', [], 'failed'),
      old('x', ['a'], 'failed', 'a'),
      old('y', [], 'succeeded', 'f'),
      old('z', ['y'], 'succeeded', 'a'),
    ]
    expect(plan(nodes)).toEqual(['a=old-a', 'f', 'x'])
  })
})
