// A list of saved views, as text and in an address. Pure. What is read may come from anybody: only paths of this page are taken.

export interface SavedView {
  readonly name: string
  /** Within the page: `/kinds/…?q=…`, without `/ui`. */
  readonly path: string
}

const MOST = 200
const LONGEST_NAME = 80
const LONGEST_PATH = 4000

/** Whatever is no list of views is none. */
export function readViews(text: string | null | undefined): SavedView[] {
  if (!text) return []
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.flatMap(viewOf).slice(0, MOST) : []
  } catch {
    return []
  }
}

/** The newest last; one of the same name is replaced in its place. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  const place = views.findIndex(({ name }) => name === view.name)
  return place < 0 ? [...views, view].slice(-MOST) : views.with(place, view)
}

/** For the parameter `add` of the screen of views. */
export function viewsInAddress(views: readonly SavedView[]): string {
  return JSON.stringify(views.map(({ name, path }) => [name, path]))
}

export function viewsOfAddress(text: string | undefined): SavedView[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(read)) return []
    return read.flatMap((one) => (Array.isArray(one) ? viewOf({ name: one[0], path: one[1] }) : [])).slice(0, MOST)
  } catch {
    return []
  }
}

function viewOf(read: unknown): SavedView[] {
  const { name, path } = (read ?? {}) as { name?: unknown; path?: unknown }
  if (typeof name !== 'string' || typeof path !== 'string') return []
  // Two slashes would name another server.
  if (!/^\/(?!\/)[^\\]*$/.test(path) || path.length > LONGEST_PATH || name.trim() === '') return []
  return [{ name: name.slice(0, LONGEST_NAME), path }]
}
