// Views that somebody saved: names for addresses, kept in this browser. A link carries them to another one.

import { Shown } from '../../live/shown.ts'
import { readViews, type SavedView, withView } from './view-list.ts'

const KEY = 'homeostat-views'

export const savedViews = new Shown<readonly SavedView[]>(readViews(localStorage.getItem(KEY)))

export function saveView(view: SavedView): void {
  keep(withView(savedViews.value, view))
}

export function forgetView(name: string): void {
  keep(savedViews.value.filter((one) => one.name !== name))
}

function keep(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views))
  savedViews.set(views)
}
