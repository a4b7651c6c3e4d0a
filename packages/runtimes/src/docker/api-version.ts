// Chooses the version of the engine's API. Pure.

export interface EngineVersions {
  readonly ApiVersion?: string
  readonly MinAPIVersion?: string
}

/** The calls of this driver are the same in these versions. For a newer engine, its oldest version is used. */
const OLDEST = '1.30'
const NEWEST = '1.51'

export function chooseApiVersion({ ApiVersion = '', MinAPIVersion = '' }: EngineVersions): string {
  if (!isVersion(ApiVersion)) throw new Error('what listens there does not answer like a Docker engine')
  if (isBefore(ApiVersion, OLDEST)) {
    throw new Error(`this Docker engine speaks API ${ApiVersion}; at least ${OLDEST} (Docker 17.06) is needed`)
  }
  const chosen = isBefore(NEWEST, ApiVersion) ? NEWEST : ApiVersion
  return isVersion(MinAPIVersion) && isBefore(chosen, MinAPIVersion) ? MinAPIVersion : chosen
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+$/.test(text)
}

function isBefore(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major === otherMajor ? minor < otherMinor : major < otherMajor
}
