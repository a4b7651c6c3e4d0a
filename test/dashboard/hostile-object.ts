// A kind, and an object of it, that bring markup, control characters and far too much of everything wherever the API lets them.

import type { LooseObject } from '@homeostat/client'

const RUNS = 'globalThis.hostile=1'
export const MARKUP = `"><img src=x onerror=${RUNS}><script>${RUNS}</script><svg onload=${RUNS}>{{constructor.constructor('${RUNS}')()}}`
/** Turns the line around, ends it, deletes, rings, and colours what a terminal shows. */
const CONTROLS = '\u202Egnp\u0007\u0000\u001B[31mred\u2028next\u200B\uFEFF\r\n\tend'
const LINKS = `javascript:${RUNS}`

export const KIND = { apiVersion: 'hostile.example.com/v1', kind: 'Trap' }

export const definition: LooseObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'traps.hostile.example.com' },
  spec: {
    group: 'hostile.example.com',
    scope: 'Namespaced',
    names: { plural: 'traps', kind: 'Trap' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: MARKUP.slice(0, 40), type: 'string', jsonPath: '.spec.markup', description: MARKUP },
          { name: 'Controls', type: 'string', jsonPath: '.spec.controls' },
          { name: 'Long', type: 'string', jsonPath: '.spec.long' },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Date', type: 'date', jsonPath: '.spec.date' },
          { name: 'constructor', type: 'string', jsonPath: '.spec.link' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: MARKUP,
            properties: {
              spec: { type: 'object', description: MARKUP, 'x-kubernetes-preserve-unknown-fields': true },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

/** Its name and labels are the only texts that the API keeps in check. */
export const trap: LooseObject = {
  ...KIND,
  metadata: {
    name: 'constructor',
    namespace: 'default',
    annotations: { markup: MARKUP, controls: CONTROLS, link: LINKS },
    ownerReferences: [{ apiVersion: 'nobody.example/v1', kind: MARKUP, name: MARKUP, uid: MARKUP }],
  },
  spec: {
    markup: MARKUP,
    controls: CONTROLS,
    long: 'x'.repeat(1_000_000),
    link: LINKS,
    date: MARKUP,
    [MARKUP]: { [CONTROLS]: [null, true, 1e300, -0, MARKUP] },
    deep: Array.from({ length: 60 }).reduce<object>((inner) => ({ inner }), { markup: MARKUP }),
    many: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, i])),
  },
}

export const status = {
  phase: MARKUP,
  message: CONTROLS,
  conditions: [
    { type: 'Ready', status: 'False', reason: MARKUP, message: MARKUP + CONTROLS, lastTransitionTime: MARKUP },
    { type: MARKUP, status: MARKUP },
    // As many as a request may bring.
    ...Array.from({ length: 9998 }, (_, i) => ({ type: `T${i}`, status: 'True' })),
  ],
  __proto__x: { toString: MARKUP },
}

export const event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'trap.1', namespace: 'default' },
  involvedObject: { ...KIND, name: 'constructor', namespace: 'default' },
  reason: MARKUP.slice(0, 100),
  message: MARKUP + CONTROLS,
  type: MARKUP.slice(0, 50),
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:00Z',
  count: 1,
  source: { component: MARKUP },
}

export const configMap: LooseObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'markup', namespace: 'default' },
  data: { page: MARKUP.repeat(5000), 'a.svg': `<svg onload="${RUNS}"/>` },
}
