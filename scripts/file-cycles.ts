// Checks that there are no import cycles between files. Type imports and dynamic imports count, too: a reader of one
// file in a cycle has to know all of them.

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

/** The shortest cycle through the node; undefined when there is none. */
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

/** The path from the start of the search to this node. */
function wayTo(node: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(node)
  return before === undefined ? [node] : [...wayTo(before, cameFrom), node]
}
