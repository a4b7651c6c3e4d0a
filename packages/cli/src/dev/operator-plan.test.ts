import { expect, it } from 'vitest'
import { type OperatorEvent, type Phase, planOperator } from './operator-plan.ts'

/** The actions of a sequence of events, and the phase at its end. */
function story(...events: OperatorEvent[]): [readonly string[], Phase] {
  let phase: Phase = 'none'
  const actions: string[] = []
  for (const event of events) {
    const step = planOperator(phase, event)
    phase = step.phase
    if (step.action !== undefined) actions.push(step.action)
  }
  return [actions, phase]
}

it.each<[string, OperatorEvent[], string[], Phase]>([
  [
    'a restart ends one process before it starts the next',
    ['restart', 'restart', 'ended'],
    ['start', 'stop', 'start'],
    'running',
  ],
  [
    'saves while the old process ends make one start',
    ['restart', 'restart', 'restart', 'restart', 'ended'],
    ['start', 'stop', 'start'],
    'running',
  ],
  ['a process that fails is not started again', ['restart', 'ended'], ['start'], 'none'],
  ['until something changes', ['restart', 'ended', 'restart'], ['start', 'start'], 'running'],
  ['what is refused ends and is not started again', ['restart', 'halt', 'ended'], ['start', 'stop'], 'none'],
  ['unless a save comes meanwhile', ['restart', 'halt', 'restart', 'ended'], ['start', 'stop', 'start'], 'running'],
  ['the end stops the process', ['restart', 'close', 'ended'], ['start', 'stop'], 'ending'],
  ['the end goes before a restart under way', ['restart', 'restart', 'close', 'ended'], ['start', 'stop'], 'ending'],
  ['nothing starts after the end', ['close', 'restart', 'ended', 'restart'], [], 'ending'],
])('%s', (_, events, actions, phase) => {
  expect(story(...events)).toEqual([actions, phase])
})
