// Builds the colony of a server from its parts, in the order of their dependencies. Each part knows only the parts it
// calls. Committed changes reach the parts through the listeners of the state, and deadlines through one timer.

import type { Api, FormerLeader } from '@homeostat/apiserver'
import type { Clock, Log, Metric } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { LOST_SECONDS } from '@homeostat/executor/protocol'
import { AssignmentWriter } from '../assign/assignment-writer.ts'
import { Claims } from '../assign/claims.ts'
import { Inputs } from '../assign/inputs.ts'
import { Offers } from '../assign/offers.ts'
import { WaitingCalls } from '../assign/waiting-calls.ts'
import { DEFAULT_MAX_WAITING, WaitingLimit } from '../assign/waiting-limit.ts'
import { AssignCall } from '../calls/assign-call.ts'
import { Callers } from '../calls/callers.ts'
import { CancelNotices } from '../calls/cancel-notices.ts'
import { CloseCall } from '../calls/close-call.ts'
import { GraphCalls } from '../calls/graph-calls.ts'
import { HeartbeatCall } from '../calls/heartbeat-call.ts'
import { LogCalls } from '../calls/log-calls.ts'
import { AttemptEvents } from '../events/attempt-events.ts'
import type { ColonyEvents } from '../events/colony-events.ts'
import { ExecutorPhase } from '../executors/executor-phase.ts'
import { LeaseRenewals } from '../executors/lease-renewals.ts'
import { LostDeletions } from '../executors/lost-deletions.ts'
import { LostExecutors } from '../executors/lost-executors.ts'
import { Presence } from '../executors/presence.ts'
import { GraphController } from '../graphs/graph-controller.ts'
import { GraphMetrics } from '../graphs/graph-metrics.ts'
import type { Handlers, ResourceProcesses } from '../handlers/handling.ts'
import { JoinCall } from '../join/join-call.ts'
import { SpentTokens } from '../join/spent-tokens.ts'
import type { ExecutorCalls } from '../kinds/calls.ts'
import type { RuleParts } from '../kinds/index.ts'
import { GRAPH_PARTS } from '../kinds/resources.ts'
import { ColonyMetrics } from '../metrics/colony-metrics.ts'
import { DueProcesses } from '../processes/due-processes.ts'
import { ProcessCloser } from '../processes/process-closer.ts'
import { Requeue } from '../processes/requeue.ts'
import { QueuedResourceProcesses } from '../processes/resource-processes.ts'
import { SetAside } from '../processes/set-aside.ts'
import { TransitionWriter } from '../processes/transition-writer.ts'
import { ExecutorLiveness } from '../queue/executor-liveness.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { ScheduleController } from '../schedules/schedule-controller.ts'
import { ScheduleMetrics } from '../schedules/schedule-metrics.ts'
import { ColonyState } from '../state/colony-state.ts'
import type { StateListener } from '../state/state-listener.ts'
import { BackgroundWrites } from '../time/background-writes.ts'
import { SharedTimer } from '../time/shared-timer.ts'

export interface ColonyParts {
  readonly api: Api
  readonly events: ColonyEvents
  /** Issues the tokens of executors that join. */
  readonly client: () => Promise<Client>
  readonly clock: Clock
  readonly log: Log
  /** Folder for the logs of Processes. */
  readonly logsDirectory: string
  /**
   * Stores a new Process as running on an executor that waits: one write instead of two. Default true; off where the server that
   * stores it may be another than the one that leads, and the lead may move.
   */
  readonly claims?: boolean
  /** The servers at other addresses that led before; undefined where no others do. */
  readonly former?: readonly FormerLeader[] | undefined
  /** Time without a call after which an executor is lost. Default 30 s. */
  readonly lostMs?: number
}

/** The colony as its callers see it: executors, the rules of the kind Process, the handlers of resources. */
export interface Colony extends ExecutorCalls, RuleParts {
  readonly processes: ResourceProcesses
  /** Number of assign calls that wait for work. */
  readonly waiting: number
}

export interface OpenColony {
  readonly colony: Colony
  readonly handlers: Handlers
  readonly metrics: readonly Metric[]
  close(): Promise<void>
}

/** Resolves when the queue is filled. */
export async function openColony(
  {
    api,
    events,
    client,
    clock,
    log,
    logsDirectory,
    claims: mayClaim = true,
    former,
    lostMs = LOST_SECONDS * 1000,
  }: ColonyParts,
  createHandlers: (processes: ResourceProcesses) => Handlers,
): Promise<OpenColony> {
  const state = new ColonyState(api, log)
  const { queue, executors } = state
  const liveness = new ExecutorLiveness(lostMs)
  const writes = new BackgroundWrites(log)
  // The longest gap that is not a pause: a third of the silence that is allowed beyond two missed heartbeats, so that
  // shorter gaps make no executor lost.
  const timer = new SharedTimer({ clock, log, writes, longestPauseMs: lostMs / 6 })
  const update = () => timer.update()
  const metrics = new ColonyMetrics(clock, state)
  const attemptEvents = new AttemptEvents(api, events)

  const aside = new SetAside({ api, queue, events, clock, log })
  const writer = new TransitionWriter(api, aside)
  const requeue = new Requeue(writer, clock)
  const processes = new QueuedResourceProcesses(queue)
  const handlers = createHandlers(processes)
  const closer = new ProcessCloser({ api, writer, clock, metrics, attemptEvents, handlers })
  const graphMetrics = new GraphMetrics()
  const graphs = new GraphController({ api, clock, log, events, writes, metrics: graphMetrics, update })
  graphMetrics.follow(() => graphs.active)
  const scheduleMetrics = new ScheduleMetrics()
  const schedules = new ScheduleController({ api, clock, log, events, metrics: scheduleMetrics, update })
  scheduleMetrics.follow(() => schedules.schedules)
  const isNeeded = (process: QueuedProcess) => graphs.isNeeded(process)
  const due = new DueProcesses({ api, queue, writer, writes, attemptEvents, closing: closer.closing, isNeeded })

  const phase = new ExecutorPhase({ api, log, events })
  const renewals = new LeaseRenewals({ api, liveness, clock, log, writes })
  const deletions = new LostDeletions({ api, log, writes })
  const lost = new LostExecutors({ queue, requeue, attemptEvents, writes, closing: closer.closing })
  const presence = new Presence({ api, liveness, clock, executors, phase, renewals, deletions, lost, writes })

  const calls = new WaitingCalls(clock)
  const offers = new Offers(queue, calls)
  const claims = new Claims({ queue, calls, clock, metrics })
  const limit = new WaitingLimit(queue, (namespace) => state.maxWaiting(namespace) ?? DEFAULT_MAX_WAITING)
  const assignments = new AssignmentWriter({
    api,
    queue,
    writer,
    requeue,
    clock,
    metrics,
    attemptEvents,
    released: update,
  })

  const cancels = new CancelNotices(queue)
  const callers = new Callers({ executors, presence, heard: update })
  const assignCall = new AssignCall({
    callers,
    closer,
    cancels,
    pulls: { queue, calls, writer: assignments, clock },
    inputs: new Inputs(api),
    handlers,
    requeue,
  })
  const heartbeatCall = new HeartbeatCall({ callers, liveness, queue, requeue, cancels, clock })
  const closeCall = new CloseCall(api, callers, closer)
  const graphCalls = new GraphCalls({ api, graphs, writer, callers, now: () => clock.now() })
  const joinCall = new JoinCall({ api, client, clock })
  const spentTokens = new SpentTokens({ api, clock, log, writes, update })
  const logs = new LogCalls({ api, queue, clock, log, directory: logsDirectory, former })

  const setTimer: StateListener = {
    processChanged: update,
    processGone: update,
    executorGone: update,
    queuePaused: update,
  }
  await state.open([aside, logs, cancels, presence, calls, processes, graphs, schedules.runs, setTimer])
  await graphs.open([(_key, graph, uid) => schedules.runs.graphChanged(graph, uid)])
  await schedules.open()
  await spentTokens.open()
  logs.open()
  timer.open([offers, due, presence, lost, renewals, deletions, graphs, schedules, spentTokens])

  const colony: Colony = {
    assign: (request, user, signal) => assignCall.respond(request, user, signal),
    heartbeat: (request) => heartbeatCall.respond(request),
    closeProcess: (request, user) => closeCall.respond(request, user),
    writeLog: (request) => logs.write(request),
    join: (request) => joinCall.respond(request),
    readLog: (request, signal) => logs.read(request, signal),
    addNodes: (request) => graphCalls.addNodes(request),
    readInput: (request) => graphCalls.readInput(request),
    rerunGraph: (request) => graphCalls.rerun(request),
    runSchedule: async ({ namespace = '', name }) => ({
      status: 201,
      body: { run: await schedules.run(namespace, name) },
    }),
    claim: (process) => (mayClaim ? claims.claim(process) : undefined) ?? limit.reserve(process),
    findPart: (namespace, name) => api.get(GRAPH_PARTS, { namespace, name }),
    processes,
    get waiting() {
      return calls.size
    },
  }
  const close = async () => {
    state.close()
    spentTokens.close()
    timer.close()
    await schedules.close()
    await graphs.close()
    await writes.settled()
    await logs.close()
  }
  return { colony, handlers, metrics: [metrics, graphMetrics, scheduleMetrics], close }
}
