// Kinds that have a screen of their own among the tabs of an object. It comes first, since it is what one looks for there.

import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Kind } from '../kinds/kind.ts'
import type { LiveObject } from '../live/object.ts'

export interface KindTab {
  readonly name: string
  readonly Part: LazyExoticComponent<ComponentType<{ readonly object: LiveObject }>>
}

const TABS: Readonly<Record<string, KindTab>> = {
  'colonies.io/processes': {
    name: 'run',
    Part: lazy(() => import('../screens/process/run.tsx').then(({ ProcessRun }) => ({ default: ProcessRun }))),
  },
  'colonies.io/processgraphs': {
    name: 'graph',
    Part: lazy(() => import('../screens/graph/graph-tab.tsx').then(({ GraphTab }) => ({ default: GraphTab }))),
  },
}

export function kindTab({ group, resource }: Kind): KindTab | undefined {
  return TABS[`${group}/${resource}`]
}
