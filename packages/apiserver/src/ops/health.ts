// Answers /healthz, /livez, /readyz and single checks by name. The HTTP layer calls it with the checks of the path.
// Failure reasons name members of the store, files and users: whoever has not logged in sees that there is one.

import { messageOf } from '@homeostat/base'

export type HealthKind = 'healthz' | 'livez' | 'readyz'

export interface HealthCheck {
  /** One word; it is part of the URL. */
  readonly name: string
  /** Informational: it is shown and never fails the endpoint. */
  readonly advisory?: true
  /** The problem in words; undefined when the check passes. */
  check(): string | undefined
}

export interface HealthQuery {
  readonly verbose?: boolean
  /** Names of checks to ignore. */
  readonly exclude?: readonly string[]
  /** The single requested check, as in /livez/NAME. */
  readonly only?: string
  /** For a caller who has not logged in. */
  readonly withholdReasons?: boolean
}

export interface HealthResponse {
  readonly status: 200 | 404 | 500
  readonly contentType: string
  readonly body: string
}

export const pingCheck: HealthCheck = { name: 'ping', check: () => undefined }

export function healthResponse(kind: HealthKind, checks: readonly HealthCheck[], query: HealthQuery): HealthResponse {
  const shown = (reason: string) => (query.withholdReasons ? WITHHELD : reason)
  if (query.only !== undefined) return answerOne(checks, query.only, shown)
  const unmatched = new Set(query.exclude)
  let lines = ''
  let failed = false
  for (const check of checks) {
    if (unmatched.delete(check.name)) {
      lines += `[+]${check.name} excluded: ok\n`
      continue
    }
    const reason = reasonOf(check)
    lines += line(check, reason && shown(reason))
    failed ||= reason !== undefined && !check.advisory
  }
  if (unmatched.size > 0) {
    const names = [...unmatched].map((name) => JSON.stringify(name)).join(', ')
    lines += `warn: some health checks cannot be excluded: no matches for ${names}\n`
  }
  if (failed) return text(500, `${lines}${kind} check failed\n`)
  return text(200, query.verbose ? `${lines}${kind} check passed\n` : 'ok')
}

function line({ name, advisory }: HealthCheck, reason: string | undefined): string {
  if (reason === undefined) return `[+]${name} ok\n`
  return advisory ? `[!]${name} warns: ${reason}\n` : `[-]${name} failed: ${reason}\n`
}

/** As Kubernetes has it. */
const WITHHELD = 'reason withheld'

function answerOne(checks: readonly HealthCheck[], name: string, shown: (reason: string) => string): HealthResponse {
  const check = checks.find((candidate) => candidate.name === name)
  if (!check) return text(404, '404 page not found\n')
  const reason = reasonOf(check)
  return reason === undefined ? text(200, 'ok') : text(500, `internal server error: ${shown(reason)}\n`)
}

/** A check that throws has failed: health must respond in any state of the server. */
function reasonOf(check: HealthCheck): string | undefined {
  try {
    const reason = check.check()
    return reason === undefined ? undefined : oneLine(reason)
  } catch (error) {
    return oneLine(`the check itself failed: ${messageOf(error)}`)
  }
}

function oneLine(reason: string): string {
  return reason.replaceAll(/[\r\n]+/g, ' ')
}

function text(status: HealthResponse['status'], body: string): HealthResponse {
  return { status, contentType: 'text/plain; charset=utf-8', body }
}
