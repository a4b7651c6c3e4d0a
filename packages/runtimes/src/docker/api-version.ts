// Which version of its API the engine is spoken to in. Pure.

export interface EngineVersions {
  readonly ApiVersion?: string
  readonly MinAPIVersion?: string
}

/** What is used here has not changed between these. An engine that is newer still is asked in the oldest it speaks. */
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
