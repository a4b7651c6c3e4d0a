// The Job of a CronJob's tick. Pure.

import { rfc3339 } from '@homeostat/meta'
import type { CronJob, Job } from '../kinds.ts'
import { controllerReference } from '../ownership/claim-plan.ts'

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** As in Kubernetes: the minutes since the epoch. */
export function jobName(cronJob: string, tick: number): string {
  return `${cronJob}-${Math.floor(tick / 60_000)}`
}

export function jobManifest(cronJob: CronJob, tick: number): Job {
  const { metadata = {}, spec = {} } = cronJob.spec?.jobTemplate ?? {}
  const { name = '', namespace } = cronJob.metadata
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(name, tick),
      ...(namespace !== undefined && { namespace }),
      ...(metadata.labels && { labels: metadata.labels }),
      annotations: { ...metadata.annotations, [SCHEDULED_AT]: inZone(tick, cronJob.spec?.timeZone) },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  }
}

/** The time as a clock of that zone shows it, with its offset from UTC. */
function inZone(tick: number, timeZone: string | undefined): string {
  if (timeZone === undefined) return rfc3339(tick)
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(tick)
  const offset = /([+-])(\d\d):(\d\d)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '')
  if (offset === null) return rfc3339(tick)
  const [text, sign, hours, minutes] = offset
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  if (ms === 0) return rfc3339(tick)
  return rfc3339(tick + (sign === '-' ? -ms : ms)).replace('Z', text)
}
