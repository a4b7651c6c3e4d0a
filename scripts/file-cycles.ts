// Checks that no file imports itself through others. Imports of types and imports at run time count like all others: who reads
// one file of a cycle has to know them all.

import { importedFile, type Modules } from './modules.ts'

export function checkFileCycles(modules: Modules): { problems: string[]; seen: string } {
  const graph = new Map(
    [...modules].map(([path, specifiers]) => [
      path,
      specifiers.filter((specifier) => specifier.startsWith('.')).map((specifier) => importedFile(path, specifier)),
    ]),
  )
  const problems = [...graph.keys()].flatMap((path) => {
    const cycle = shortestCycle(graph, path)
    return cycle === undefined ? [] : [`${path}: imports itself: ${cycle.join(' -> ')}`]
  })
  return { problems, seen: `${modules.size} modules` }
}

/** The shortest way from the node back to itself; undefined when there is none. */
export function shortestCycle(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...wayTo(node, cameFrom), start]
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      queue.push(next)
    }
  }
  return undefined
}

/** The nodes from the start of the search to this one. */
function wayTo(node: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(node)
  return before === undefined ? [node] : [...wayTo(before, cameFrom), node]
}
