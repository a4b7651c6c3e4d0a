// The verbs of `homeostat schedule`. `homeostat get schedules` lists them.

import { colonyOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { runSchedule } from './run.ts'
import { suspendSchedule } from './suspend.ts'

const LISTS = ['To look at schedules: homeostat get schedules -n NAMESPACE']

export const scheduleVerbs: VerbTable = {
  run: {
    summary: 'Make a run of a schedule now, and print its name.',
    operands: 'NAME',
    options: colonyOptions,
    notes: LISTS,
    completes: 'schedule',
    run: (values, operands, terminal) => runSchedule(values, operands, terminal),
  },
  suspend: {
    summary: 'Make no runs until it is resumed; what runs goes on.',
    operands: 'NAME',
    options: colonyOptions,
    completes: 'schedule',
    run: (values, operands, terminal) => suspendSchedule(values, operands, terminal, true),
  },
  resume: {
    summary: 'Make runs again, from the next tick on.',
    operands: 'NAME',
    options: colonyOptions,
    completes: 'schedule',
    run: (values, operands, terminal) => suspendSchedule(values, operands, terminal, false),
  },
}
