// Group and version, as `apiVersion` writes them: `apps/v1`, and `v1` for the core group.

export interface GroupVersion {
  /** Empty for the core group. */
  group: string
  version: string
}

/** Undefined when the text has no version or more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf('/')
  if (slash < 0) return apiVersion === '' ? undefined : { group: '', version: apiVersion }
  const version = apiVersion.slice(slash + 1)
  if (version === '' || version.includes('/')) return undefined
  return { group: apiVersion.slice(0, slash), version }
}

export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

/** Sorts the best version first: v2, v1, v1beta2, v1beta1, v1alpha1, then other names in byte order. */
export function compareVersions(a: string, b: string): number {
  const left = kubeVersion(a)
  const right = kubeVersion(b)
  if (!left || !right) {
    if (left) return -1
    if (right) return 1
    return a < b ? -1 : a > b ? 1 : 0
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor
}

const VERSION = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/

function kubeVersion(version: string): { stability: number; major: number; minor: number } | undefined {
  const match = VERSION.exec(version)
  if (!match) return undefined
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) }
}
