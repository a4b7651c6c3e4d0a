// Which versions of etcd the store runs on. Before 3.5.22 and 3.6.2 a watch may lose events when a compaction meets a deletion,
// and may be told of progress below the revision that it starts from: changes would be lost without a sign.

/** What to say of a version that is too old or cannot be read; undefined for one that is good. */
export function belowFloor(version: string): string | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  if (major !== undefined && minor !== undefined && patch !== undefined) {
    if (major > 3 || (major === 3 && minor > 6)) return undefined
    if (major === 3 && minor === 6 && patch >= 2) return undefined
    if (major === 3 && minor === 5 && patch >= 22) return undefined
  }
  return `etcd ${version || 'of an unknown version'} is too old: its watches can lose changes. Upgrade to 3.5.22, 3.6.2 or newer`
}
