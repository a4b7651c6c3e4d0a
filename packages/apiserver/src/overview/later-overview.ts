// The overview of a server, whose code is loaded with the first question.

import type { Overview, OverviewParts } from './overview.ts'

export interface LaterOverview {
  get(): Promise<Overview>
  close(): void
}

export function laterOverview(parts: OverviewParts): LaterOverview {
  let loaded: Promise<Overview> | undefined
  return {
    get() {
      loaded ??= import('./overview.ts').then(({ Overview }) => new Overview(parts))
      return loaded
    },
    close: () => void loaded?.then((overview) => overview.close()),
  }
}
