// The screens that are no kind, in the order in which they stand in the navigation and in the palette. Pure.

export interface Place {
  readonly title: string
  readonly to: '/' | '/colony/queue' | '/colony/schedules' | '/colony/executors' | '/operators' | '/server' | '/views'
  /** Shown only when the server has a colony. */
  readonly ofColony?: boolean
}

export const PLACES: readonly Place[] = [
  { title: 'Overview', to: '/' },
  { title: 'Queue', to: '/colony/queue', ofColony: true },
  { title: 'Schedules', to: '/colony/schedules', ofColony: true },
  { title: 'Executors', to: '/colony/executors', ofColony: true },
  { title: 'Operators', to: '/operators' },
  { title: 'Server', to: '/server' },
  { title: 'Saved views', to: '/views' },
]
