// The order in which packages are published: each after those that it depends on, so that every package that can be seen can be
// installed. Pure.

interface Package {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export function publishOrder<P extends Package>(packages: readonly P[]): P[] {
  const left = new Map(packages.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((one) => [one.name, one]))
  const ordered: P[] = []
  while (left.size > 0) {
    const next = [...left.values()].find(
      ({ dependencies = {} }) => !Object.keys(dependencies).some((name) => left.has(name)),
    )
    if (next === undefined) throw new Error(`packages depend on each other: ${[...left.keys()].join(', ')}`)
    left.delete(next.name)
    ordered.push(next)
  }
  return ordered
}
