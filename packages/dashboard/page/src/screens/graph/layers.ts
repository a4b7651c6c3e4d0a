// Where the nodes of a graph stand: in columns by how far they are from the beginning, close to what they wait for. Pure, and in
// time linear to nodes and edges, since graphs have thousands of both.

export interface LaidNode {
  readonly name: string
  readonly dependencies: readonly string[]
}

export interface Place {
  /** The column, from the left. */
  readonly layer: number
  /** The row in the column, from the top. */
  readonly row: number
}

/** Dependencies that are not in the graph count for nothing; what is in a cycle stands in the first column. */
export function placesOf(nodes: readonly LaidNode[]): ReadonlyMap<string, Place> {
  const layers = layersOf(nodes)
  const columns: LaidNode[][] = []
  for (const node of nodes) {
    const layer = layers.get(node.name) ?? 0
    columns[layer] ??= []
    columns[layer]?.push(node)
  }
  const places = new Map<string, Place>()
  for (const [layer, column = []] of columns.entries()) {
    const rows = new Map(column.map((node, index) => [node, meanRow(node, places) ?? index]))
    const sorted = layer === 0 ? column : column.toSorted((a, b) => (rows.get(a) ?? 0) - (rows.get(b) ?? 0))
    for (const [row, { name }] of sorted.entries()) places.set(name, { layer, row })
  }
  return places
}

function meanRow({ dependencies }: LaidNode, places: ReadonlyMap<string, Place>): number | undefined {
  const rows = dependencies.flatMap((name) => places.get(name)?.row ?? [])
  return rows.length === 0 ? undefined : rows.reduce((sum, row) => sum + row, 0) / rows.length
}

/** The longest way to each node. */
function layersOf(nodes: readonly LaidNode[]): Map<string, number> {
  const open = new Map<string, number>()
  const after = new Map<string, string[]>()
  const known = new Set(nodes.map(({ name }) => name))
  for (const { name, dependencies } of nodes) {
    const parents = dependencies.filter((one) => known.has(one))
    open.set(name, parents.length)
    for (const parent of parents) {
      const children = after.get(parent)
      if (children === undefined) after.set(parent, [name])
      else children.push(name)
    }
  }
  const layers = new Map<string, number>()
  const ready = [...open].flatMap(([name, count]) => (count === 0 ? [name] : []))
  for (const name of ready) layers.set(name, 0)
  for (const name of ready) {
    for (const child of after.get(name) ?? []) {
      layers.set(child, Math.max(layers.get(child) ?? 0, (layers.get(name) ?? 0) + 1))
      const left = (open.get(child) ?? 0) - 1
      open.set(child, left)
      if (left === 0) ready.push(child)
    }
  }
  return layers
}
