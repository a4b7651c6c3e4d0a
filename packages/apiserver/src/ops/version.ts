// The body of /version. It names the Kubernetes release whose API is served, because clients choose features by it.

export const GIT_VERSION = 'v1.35.8+homeostat'

export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

export interface Build {
  /** Default: empty, as for a run from sources. */
  readonly commit?: string
  /** RFC 3339. Default: the epoch, as for a run from sources. */
  readonly date?: string
}

const OPERATING_SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' }
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', ia32: '386' }

export function versionInfo(build: Build = {}): VersionInfo {
  return {
    major: '1',
    minor: '35',
    gitVersion: GIT_VERSION,
    gitCommit: build.commit ?? '',
    gitTreeState: build.commit === undefined ? '' : 'clean',
    buildDate: build.date ?? '1970-01-01T00:00:00Z',
    goVersion: `node${process.version}`,
    compiler: 'node',
    platform: `${OPERATING_SYSTEMS[process.platform] ?? process.platform}/${ARCHITECTURES[process.arch] ?? process.arch}`,
  }
}
