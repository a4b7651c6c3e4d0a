// The rules for writes to a Schedule: its times can be read, what it makes is right, and a new one knows its next run.

import type { WriteRules } from '@homeostat/apiserver'
import { messageOf } from '@homeostat/base'
import type { ScheduleSpec } from '@homeostat/executor/schedules'
import type { KubeObject } from '@homeostat/meta'
import { type Cause, invalidValue, required } from '@homeostat/meta/server'
import { checkGraph, placed } from '../graph/check-graph.ts'
import { firstStatus, ticksOf } from '../schedule/schedule-ticks.ts'

export function scheduleRules(now: () => number): WriteRules {
  return {
    prepareForCreate(object) {
      object.status = firstStatus(specOf(object), object.metadata.uid ?? '', now())
    },
    validate: (object) => causesOf(specOf(object)),
  }
}

function causesOf(spec: ScheduleSpec): Cause[] {
  const times = (['cron', 'intervalSeconds', 'at'] as const).filter((name) => spec[name] !== undefined)
  const work = (['process', 'graph'] as const).filter((name) => spec[name] !== undefined)
  const causes: Cause[] = []
  if (times.length !== 1) causes.push(required('spec.cron', 'give one of cron, intervalSeconds and at'))
  if (work.length !== 1) causes.push(required('spec.process', 'give one of process and graph'))
  if (spec.timeZone !== undefined && spec.cron === undefined) {
    causes.push(invalidValue('spec.timeZone', spec.timeZone, 'is only for cron'))
  }
  if (causes.length > 0) return causes
  return [...timeCauses(spec), ...graphCauses(spec)]
}

function timeCauses(spec: ScheduleSpec): Cause[] {
  try {
    ticksOf(spec, 0)
    return []
  } catch (error) {
    const field = isZone(spec.timeZone) ? 'cron' : 'timeZone'
    return [invalidValue(`spec.${field}`, spec[field], messageOf(error))]
  }
}

function isZone(timeZone: string | undefined): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' })
    return true
  } catch {
    return false
  }
}

function graphCauses({ graph }: ScheduleSpec): Cause[] {
  const nodes = graph?.nodes ?? []
  if (graph !== undefined && nodes.length === 0) return [required('spec.graph.nodes', 'name the work')]
  return checkGraph(placed(nodes, 'spec.graph.nodes')).map(({ field, value, message }) =>
    invalidValue(field, value, message),
  )
}

function specOf(object: KubeObject): ScheduleSpec {
  return object.spec as ScheduleSpec
}
