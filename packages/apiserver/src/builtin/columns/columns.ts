// Joins the columns of a kind: names and types come from the table of resources, cells from the files beside this one.

import { deepClone, type KubeObject } from '@homeostat/meta'
import type { Column, Conversion } from '../../registry/resource-type.ts'
import { age, type Cell, type Cells, createdAt, name } from './cells.ts'
import { CLUSTER_CELLS } from './cluster.ts'
import { CORE_CELLS } from './core.ts'
import { EVENT_CELLS } from './event.ts'
import { WORKLOAD_CELLS } from './workloads.ts'

/** By `group/resource`. Other kinds have a name and an age, or the time of their creation. */
const CELLS: Readonly<Record<string, Cells>> = {
  ...CORE_CELLS,
  ...WORKLOAD_CELLS,
  ...CLUSTER_CELLS,
  'events.k8s.io/events': EVENT_CELLS,
}

const USUAL: Readonly<Record<string, Cell>> = { Name: name, Age: age, 'Created At': createdAt }

/** `texts` are `name|type|format|priority` without default parts. Cell functions receive the stored form. */
export function builtinColumns(key: string, texts: readonly string[], conversion?: Conversion): Column[] {
  const cells = CELLS[key]
  const stored = conversion && storedFormOf(conversion)
  return texts.map((text, index) => {
    const [title = '', type, format, priority] = text.split('|')
    const cell = cells?.[index] ?? USUAL[title]
    if (!cell) throw new Error(`the column ${title} of ${key} has no cell`)
    return {
      name: title,
      type: type || 'string',
      format: format ?? '',
      description: DESCRIPTIONS[title] ?? '',
      priority: Number(priority ?? 0),
      cell: stored ? (object, now) => cell(stored(object), now) : cell,
    }
  })
}

/** All cells of a row are made one after the other, so that keeping the last object's form saves a copy per cell. */
function storedFormOf(conversion: Conversion): (object: KubeObject) => KubeObject {
  let last: { readonly object: KubeObject; readonly stored: KubeObject } | undefined
  return (object) => {
    if (last?.object !== object) last = { object, stored: conversion.toStored(deepClone(object)) }
    return last.stored
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Name: 'The name of the object, unique among objects of its kind in its namespace.',
  Age: 'How long ago the object was created.',
  'Created At': 'When the object was created.',
}
