// The texts of `kubectl explain` for schedules. The fields of what they make have the texts of Processes and graphs.

import { nodeTexts, workTexts } from './graph-descriptions.ts'

type Texts = Readonly<Record<string, string>>

export function scheduleDescriptions(process: Texts): Texts {
  const { 'spec.process.ttlSecondsAfterFinished': _, ...work } = workTexts(process, 'spec.process')
  return {
    '': 'Makes a Process or a ProcessGraph at certain times.',
    spec: 'When, what, and what happens to ticks that come too late or too early. One of cron, intervalSeconds and at is given, and one of process and graph.',
    'spec.cron':
      'Minute, hour, day of month, month, day of week, or six fields with the second first; with names, lists, ranges and steps, or @hourly and the like.',
    'spec.timeZone': 'The time zone of cron, such as Europe/Berlin. Default UTC.',
    'spec.intervalSeconds': 'A tick every so many seconds, the first one interval after the schedule was made.',
    'spec.at': 'One tick at this time. If it has passed, the tick is due at once.',
    'spec.jitterSeconds':
      'Every tick is run later by a part of this time that follows from the uid, so that many schedules are spread.',
    'spec.concurrencyPolicy':
      'What happens to a tick while a run is active: Allow (the default) makes another, Forbid skips the tick, Replace cancels the active run.',
    'spec.startingDeadlineSeconds':
      'A tick that is later than this is not run. If absent, the last missed ticks are run however late.',
    'spec.catchUp': 'How many missed ticks are made up for at most, the newest: 1 to 100, default 1.',
    'spec.suspend': 'Set to true to stop making runs. Ticks until it is taken back do not count as missed.',
    'spec.successfulRunsHistoryLimit': 'How many succeeded runs are kept. Default 3.',
    'spec.failedRunsHistoryLimit': 'How many failed and cancelled runs are kept. Default 1.',
    'spec.runTtlSeconds': 'Ended runs are deleted this long after their end. Default 604800, a week.',
    'spec.process': 'The spec of the Process that a tick makes.',
    ...work,
    'spec.graph': 'The spec of the ProcessGraph that a tick makes.',
    ...nodeTexts(process, 'spec.graph.nodes'),
    'spec.graph.onFailure': 'What a failure of a node means that does not say. Default fail.',
    status: 'What was run and what comes. The colony writes it.',
    'status.timing': 'What the ticks follow from, to see when the spec changes it.',
    'status.since': 'Only ticks after this time count: when the schedule was made, changed or resumed.',
    'status.suspended': 'Whether the colony has seen that it is suspended.',
    'status.lastTick': 'The last tick that was decided. No tick up to it is run again.',
    'status.pending':
      'The run that is being made. It is written before the run is there, so that a crash makes no second one.',
    'status.pending.name': 'The name of the run, which follows from the tick.',
    'status.pending.time': 'When it was due.',
    'status.pending.tick': 'Its tick; absent for a run by hand.',
    'status.lastRun': 'The last run.',
    'status.lastRun.name': 'The name of its Process or ProcessGraph.',
    'status.lastRun.time': 'When it was due.',
    'status.nextRun': 'When the next tick is run.',
    'status.skippedTicks': 'How many ticks were not run: an active run forbade it, or they were missed.',
  }
}
