// Tables of `-o custom-columns=HEADER:PATH,...`, as kubectl prints them.

import type { ApiObject } from '@homeostat/client'
import { Fault } from '../fault.ts'
import { relaxedPath, valueText } from './json-path-template.ts'
import { TableLayout } from './server-table.ts'

export interface CustomColumns {
  lines(objects: readonly ApiObject[], headers: boolean): string
}

export function customColumns(spec: string): CustomColumns {
  const columns = spec.split(',').map((column) => {
    const [, header, path] = /^([^:]+):(.+)$/.exec(column) ?? []
    if (header === undefined || path === undefined) {
      throw new Fault(`unexpected custom-columns spec: ${column}, expected <header>:<json-path-expr>`)
    }
    return { name: header, path: relaxedPath(path) }
  })
  return {
    lines(objects, headers) {
      const view = { wide: true, headers, namespaces: false, labels: false, prefix: '' }
      const rows = objects.map((object) => ({
        cells: columns.map(({ path }) => path.find(object).map(valueText).join(',') || '<none>'),
        object,
      }))
      return new TableLayout(view, (_, text) => text).lines({ columns, rows })
    },
  }
}
