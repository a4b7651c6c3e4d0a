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
      cell: conversion ? (object, now) => cell(storedForm(object, conversion), now) : cell,
    }
  })
}

/** Caches the conversion for all cells of one row. */
const storedForms = new WeakMap<KubeObject, KubeObject>()

function storedForm(object: KubeObject, conversion: Conversion): KubeObject {
  let stored = storedForms.get(object)
  if (!stored) {
    stored = conversion.toStored(deepClone(object))
    storedForms.set(object, stored)
  }
  return stored
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Name: 'The name of the object, unique among objects of its kind in its namespace.',
  Age: 'How long ago the object was created.',
  'Created At': 'When the object was created.',
}
