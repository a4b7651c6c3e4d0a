import type { GraphNode } from '@homeostat/executor/graphs'
import { describe, expect, it } from 'vitest'
import { checkGraph, placed } from './check-graph.ts'
import { GraphRun } from './graph-run.ts'

const node = (name: string, dependencies: string[] = [], more: Partial<GraphNode> = {}): GraphNode => ({
  name,
  dependencies,
  funcName: 'f',
  conditions: { executorType: 't' },
  ...more,
})
const messages = (nodes: GraphNode[], existing?: ReadonlySet<string>) =>
  checkGraph(placed(nodes, 'nodes'), existing).map(({ field, message }) => `${field} ${message}`)

describe('a graph', () => {
  it('is right when every dependency is known, in any order', () => {
    expect(messages([node('d', ['b', 'c']), node('b', ['a']), node('c', ['a']), node('a')])).toEqual([])
  })

  it('is refused with two nodes of one name, or a name that cannot be a label', () => {
    expect(messages([node('a'), node('a')])).toEqual(['nodes[1].name is the name of another node, too'])
    expect(messages([node('a b')])[0]).toContain('nodes[0].name must be letters')
  })

  it('is refused with an unknown dependency, or one that is named twice', () => {
    expect(messages([node('a', ['x'])])).toEqual([
      'nodes[0].dependencies[0] is no node of the graph; a cannot depend on it',
    ])
    expect(messages([node('a'), node('b', ['a', 'a'])])).toEqual(['nodes[1].dependencies[1] is named twice'])
  })

  it('is refused with a cycle, which is named in the order of the work', () => {
    const cyclic = [node('start'), node('a', ['start', 'c']), node('b', ['a']), node('c', ['b']), node('end', ['c'])]
    expect(messages(cyclic)).toEqual([expect.stringContaining('is in a cycle: ')])
    expect(messages(cyclic)[0]).toMatch(/a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c/)
    expect(messages([node('a', ['a'])])[0]).toContain('is in a cycle: a -> a')
  })

  it('tells a long cycle in short', () => {
    const nodes = Array.from({ length: 50 }, (_, index) => node(`n${index}`, [`n${(index + 49) % 50}`]))
    expect(messages(nodes)[0]).toContain('… 30 more -> ')
  })

  it('has conditions on its own parents only', () => {
    const when = [{ node: 'a', phase: 'Failed' as const }]
    expect(messages([node('a'), node('b', [], { when })])).toEqual(['nodes[1].when[0].node must be a dependency of b'])
    expect(messages([node('a'), node('b', ['a'], { when: [{ node: 'a' }] })])[0]).toContain('a phase or a pointer')
    expect(messages([node('a'), node('b', ['a'], { when: [{ node: 'a', pointer: 'x' }] })])[0]).toContain('begin with')
  })

  it('takes nodes that depend on those that are there', () => {
    expect(messages([node('b', ['a'])], new Set(['a']))).toEqual([])
    expect(messages([node('a')], new Set(['a']))).toEqual(['nodes[0].name is the name of another node, too'])
  })

  it('may be very deep and very wide', () => {
    const deep = Array.from({ length: 4000 }, (_, index) => node(`n${index}`, index > 0 ? [`n${index - 1}`] : []))
    const wide = Array.from({ length: 4000 }, (_, index) => node(`w${index}`, ['n0']))
    expect(
      messages([
        ...deep,
        ...wide,
        node(
          'end',
          wide.map(({ name }) => name),
        ),
      ]),
    ).toEqual([])
    const run = new GraphRun(deep, { output: () => undefined })
    run.take(1)
    run.changed('n0', 'Failed')
    expect(run.result).toBe('Failed')
    expect(run.count('Failed')).toBe(4000)
  })
})
