// The addresses of the page. Every state that is worth a link is in one: the kind, the filters, the order, the tab.

import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

const root = createRootRouteWithContext<{ user: string }>()({
  component: Shell,
  /** The namespace that all screens show; all of them when it is missing. */
  validateSearch: (search: Record<string, unknown>): { ns?: string | undefined } => texts(search, ['ns']),
})

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/overview/overview.tsx'), 'Overview'),
})

export interface TableSearch {
  /** Shows rows whose cells contain it. */
  q?: string | undefined
  labels?: string | undefined
  fields?: string | undefined
  /** A column's name, with a minus in front for the other direction. */
  sort?: string | undefined
  /** `all` shows the columns that are usually left out; otherwise the names of those to show. */
  cols?: string | undefined
  /** Filters of single columns. */
  where?: string | undefined
}

const table = createRoute({
  getParentRoute: () => root,
  path: '/kinds/$group/$version/$resource',
  validateSearch: (search): TableSearch => texts(search, ['q', 'labels', 'fields', 'sort', 'cols', 'where']),
  component: lazyRouteComponent(() => import('../screens/table/table-screen.tsx'), 'TableScreen'),
})

export interface ObjectSearch {
  tab?: string | undefined
  /** Of the tree: `unwell` leaves the way to what is not ready. */
  only?: string | undefined
  /** Of the history: the two entries that are compared, by revision and change. */
  from?: string | undefined
  to?: string | undefined
  /** Of the logs: whose, by its label. */
  of?: string | undefined
  container?: string | undefined
  /** Of the YAML: `all` shows it as the server has it. */
  fields?: string | undefined
  /** Of the YAML: `all` shows who manages each field. */
  who?: string | undefined
}

const object = createRoute({
  getParentRoute: () => root,
  path: '/objects/$group/$version/$resource/$namespace/$name',
  validateSearch: (search): ObjectSearch =>
    texts(search, ['tab', 'only', 'from', 'to', 'of', 'container', 'fields', 'who']),
  component: lazyRouteComponent(() => import('../screens/object/object-screen.tsx'), 'ObjectScreen'),
})

const views = createRoute({
  getParentRoute: () => root,
  path: '/views',
  /** Views of a link that somebody sent. */
  validateSearch: (search): { add?: string | undefined } => texts(search, ['add']),
  component: lazyRouteComponent(() => import('../screens/views/views-screen.tsx'), 'ViewsScreen'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/new/$group/$version/$resource',
  component: lazyRouteComponent(() => import('../screens/object/editor/create-screen.tsx'), 'CreateScreen'),
})

const queue = createRoute({
  getParentRoute: () => root,
  path: '/colony/queue',
  validateSearch: (search): { charts?: string | undefined } => texts(search, ['charts']),
  component: lazyRouteComponent(() => import('../screens/queue/queue-screen.tsx'), 'QueueScreen'),
})

const schedules = createRoute({
  getParentRoute: () => root,
  path: '/colony/schedules',
  component: lazyRouteComponent(() => import('../screens/schedules/schedules-screen.tsx'), 'SchedulesScreen'),
})

const executors = createRoute({
  getParentRoute: () => root,
  path: '/colony/executors',
  component: lazyRouteComponent(() => import('../screens/executors/executors-screen.tsx'), 'ExecutorsScreen'),
})

const server = createRoute({
  getParentRoute: () => root,
  path: '/server',
  component: lazyRouteComponent(() => import('../screens/server/server-screen.tsx'), 'ServerScreen'),
})

const operators = createRoute({
  getParentRoute: () => root,
  path: '/operators',
  component: lazyRouteComponent(() => import('../screens/operators/operators-screen.tsx'), 'OperatorsScreen'),
})

export const router = createRouter({
  routeTree: root.addChildren([overview, table, views, queue, schedules, executors, server, operators, object, create]),
  basepath: '/ui',
  defaultNotFoundComponent: NotFound,
  context: { user: '' },
  defaultPreload: 'intent',
  // Search parameters are plain text, as people write them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(search)) if (value) query.set(name, String(value))
    return query.size === 0 ? '' : `?${query}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function texts<N extends string>(search: Record<string, unknown>, names: readonly N[]): { [K in N]?: string } {
  const found: { [K in N]?: string } = {}
  for (const name of names) if (typeof search[name] === 'string' && search[name] !== '') found[name] = search[name]
  return found
}
