// Says what is wrong with a history of a colony, in words. Pure. A history is sound when nothing acknowledged was lost, no
// Process or concurrency key was run by two at once, attempts rose, and each Process ended once and by right.

import { attemptId, type Close, type History, hasEnded, type State } from './history.ts'
import { Releases, type Run } from './release.ts'

export function checkHistory(history: History): string[] {
  const lives = Map.groupBy(history.states, ({ process }) => process)
  return [
    ...checkSubmits(history, lives),
    ...[...lives.values()].flatMap(checkLife),
    ...checkTaken(history, lives),
    ...checkCloses(history, lives),
    ...checkTokens(history, lives),
    ...checkKeys(history.states),
    ...checkRuns(history),
    ...checkEnds(history, lives),
  ]
}

type Lives = ReadonlyMap<string, readonly State[]>

/** What was acknowledged is there, once, and nothing is there that nobody asked for. */
function checkSubmits({ submits }: History, lives: Lives): string[] {
  const wrong: string[] = []
  for (const { process, uid, outcome } of submits) {
    const states = lives.get(process) ?? []
    if (outcome === 'accepted' && states.length === 0) wrong.push(`lost: ${process} was acknowledged and never seen`)
    if (uid !== undefined && states.length > 0 && !states.some((state) => state.uid === uid))
      wrong.push(`lost: ${process} was acknowledged as ${uid}, which was never seen`)
  }
  const asked = new Set(submits.filter(({ outcome }) => outcome !== 'refused').map(({ process }) => process))
  for (const [process, states] of lives) {
    if (!asked.has(process)) wrong.push(`invented: nobody submitted ${process}`)
    if (new Set(states.map(({ uid }) => uid)).size > 1) wrong.push(`twice: ${process} was made more than once`)
    if (states.some(({ gone }) => gone)) wrong.push(`lost: ${process} was deleted`)
  }
  return wrong
}

/** One Process, from state to state. */
function checkLife(states: readonly State[]): string[] {
  const wrong: string[] = []
  for (const [index, now] of states.entries()) {
    const before = states[index - 1]
    const at = `${now.process} at revision ${now.revision}`
    if (now.maxRetries >= 0 && now.retries > now.maxRetries + 1)
      wrong.push(`retries: ${at} counts ${now.retries} of ${now.maxRetries}`)
    if (before === undefined) {
      if (!beginsWell(now)) wrong.push(`begin: ${at} began as ${describe(now)}`)
      continue
    }
    if (hasEnded(before) && (describe(before) !== describe(now) || before.finishedAt !== now.finishedAt)) {
      wrong.push(`ended twice: ${at} was ${describe(before)} and became ${describe(now)}`)
    }
    const starts = now.phase === 'Running' && before.phase !== 'Running'
    if (now.attempt !== before.attempt + (starts ? 1 : 0))
      wrong.push(`attempt: ${at} went from ${describe(before)} to ${describe(now)}`)
    if (now.phase === 'Running' && !starts && now.executor !== before.executor)
      wrong.push(`holder: ${at} went from ${describe(before)} to ${describe(now)}`)
  }
  return wrong
}

/** In the queue, or with an executor that waited for it; whoever shares a key has to queue. */
function beginsWell({ phase, attempt, executor, concurrencyKey }: State): boolean {
  if (phase === 'Waiting') return attempt === 0
  return phase === 'Running' && attempt === 1 && executor !== undefined && concurrencyKey === undefined
}

/** What executors were given was committed as theirs, and given once. */
function checkTaken({ taken }: History, lives: Lives): string[] {
  const wrong: string[] = []
  const holders = new Map<string, string>()
  for (const { process, attempt, executor } of taken) {
    const id = attemptId(process, attempt)
    const other = holders.get(id)
    if (other !== undefined) wrong.push(`given twice: ${id} to ${other} and to ${executor}`)
    holders.set(id, executor)
    const run = lives.get(process)?.find((state) => state.phase === 'Running' && state.attempt === attempt)
    if (run === undefined) wrong.push(`given: ${id} to ${executor}, but it never ran`)
    else if (run.executor !== executor) wrong.push(`given: ${id} to ${executor}, but ${run.executor} has it`)
  }
  return wrong
}

/** An accepted close is how the attempt of that executor ended. */
function checkCloses({ closes }: History, lives: Lives): string[] {
  const wrong: string[] = []
  for (const close of closes) {
    if (close.outcome !== 'accepted') continue
    const { process, attempt, executor } = close
    const states = lives.get(process) ?? []
    const last = states.findLastIndex((state) => state.phase === 'Running' && state.attempt === attempt)
    const [run, next] = [states[last], states[last + 1]]
    const accepted = `accepted: ${close.result} of ${attemptId(process, attempt)} by ${executor}`
    if (run === undefined) wrong.push(`${accepted}, which never ran`)
    else if (run.executor !== executor) wrong.push(`${accepted}, but ${run.executor} ran it`)
    else if (next === undefined) wrong.push(`${accepted}, but it still runs`)
    else if (!follows(close, next)) wrong.push(`${accepted}, but it became ${describe(next)}`)
  }
  return wrong
}

function follows({ result, requeue }: Close, { phase }: State): boolean {
  if (result === 'Succeeded' && !requeue) return phase === 'Succeeded'
  if (result === 'Cancelled' || phase === 'Cancelled') return phase === 'Cancelled'
  return phase === 'Waiting' || (result === 'Failed' && phase === 'Failed')
}

/** An output was sent by the executor that ran the Process then, in that attempt, and was not refused. */
function checkTokens({ closes }: History, lives: Lives): string[] {
  const wrong: string[] = []
  const byToken = Map.groupBy(closes, ({ token }) => token)
  for (const states of lives.values()) {
    for (const [index, { process, token, revision }] of states.entries()) {
      const before = states[index - 1]
      if (token === before?.token || token === undefined) continue
      // An executor sends the same close again when its response was lost.
      const sent = byToken.get(token)?.filter((close) => close.process === process) ?? []
      const [first] = sent
      const at = `output: ${process} at revision ${revision} has ${token}`
      if (first === undefined) wrong.push(`${at}, which nobody sent for it`)
      else if (sent.every(({ outcome }) => outcome === 'refused')) wrong.push(`${at}, which was refused`)
      else if (before?.phase !== 'Running' || first.executor !== before.executor || first.attempt !== before.attempt)
        wrong.push(`${at} from ${first.executor} in attempt ${first.attempt}, but was ${before && describe(before)}`)
    }
  }
  return wrong
}

/** By what was committed, no two of one concurrency key ran at once. */
function checkKeys(states: readonly State[]): string[] {
  const wrong: string[] = []
  const running = new Map<string, string>()
  for (const { concurrencyKey, process, phase, gone, revision } of states) {
    if (concurrencyKey === undefined) continue
    const holder = running.get(concurrencyKey)
    if (phase === 'Running' && !gone) {
      if (holder !== undefined && holder !== process)
        wrong.push(`key: ${process} began at revision ${revision} while ${holder} ran with ${concurrencyKey}`)
      running.set(concurrencyKey, process)
    } else if (holder === process) running.delete(concurrencyKey)
  }
  return wrong
}

/** By what executors knew, a Process or a key went to the next only when the one before had ended or lost its right. */
function checkRuns(history: History): string[] {
  const releases = new Releases(history)
  const starts = startsOf(history.states)
  const byProcess = Map.groupBy(starts.values(), ({ process }) => process)
  const byKey = Map.groupBy(starts.values(), ({ concurrencyKey }) => concurrencyKey)
  return history.taken.flatMap((taken) => {
    const start = starts.get(attemptId(taken.process, taken.attempt))
    if (start === undefined) return []
    const run: Run = { ...taken, startedAt: start.startedAt ?? 0, execDeadline: start.execDeadline }
    const released = releases.of(run)
    const rivals = new Set([
      ...(byProcess.get(taken.process) ?? []),
      ...(start.concurrencyKey === undefined ? [] : (byKey.get(start.concurrencyKey) ?? [])),
    ])
    return [...rivals]
      .filter((rival) => rival.revision > start.revision && (rival.startedAt ?? 0) < released)
      .map(
        (rival) =>
          `two at once: ${attemptId(rival.process, rival.attempt)} went to ${rival.executor} at ${rival.startedAt}, ` +
          `while ${run.executor} had ${attemptId(run.process, run.attempt)} since ${run.startedAt} until ${released}`,
      )
  })
}

/** The first state of each attempt. */
function startsOf(states: readonly State[]): Map<string, State> {
  const starts = new Map<string, State>()
  for (const state of states) {
    const id = attemptId(state.process, state.attempt)
    if (state.phase === 'Running' && !starts.has(id)) starts.set(id, state)
  }
  return starts
}

/** In the end everything has ended, and the list shows what the watch delivered. */
function checkEnds({ listed }: History, lives: Lives): string[] {
  const wrong: string[] = []
  const names = new Set(listed.map(({ process }) => process))
  for (const [process] of lives) if (!names.has(process)) wrong.push(`lost: ${process} is not in the list at the end`)
  for (const state of listed) {
    const last = lives.get(state.process)?.at(-1)
    if (last?.revision !== state.revision) wrong.push(`watch: the last of ${state.process} is ${last?.revision}`)
    if (!hasEnded(state)) wrong.push(`never ended: ${state.process} is ${describe(state)}`)
  }
  return wrong
}

function describe({ phase, attempt, executor, token }: State): string {
  return `${phase} (attempt ${attempt}, executor ${executor ?? 'none'}, output ${token ?? 'none'})`
}
