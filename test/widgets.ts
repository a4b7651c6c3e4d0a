// A kind for tests that write a lot: Widgets, namespaced, with a status. Crash, fault and model tests use it.

import type { KubeObject } from '@homeostat/meta'

export const GROUP = 'test.homeostat.dev'
/** Where the store keeps them. */
export const STORE_PREFIX = `${GROUP}/widgets/`

export const widgetDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { token: { type: 'string' }, payload: { type: 'string' }, size: { type: 'integer' } },
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
}

/** The path of one Widget, of a namespace's Widgets, or of all. */
export function widgetPath(namespace?: string, name?: string): string {
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`
  return `/apis/${GROUP}/v1${scope}/widgets${name === undefined ? '' : `/${name}`}`
}

export function widget(name: string, rest: object = {}): KubeObject {
  return { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name }, ...rest }
}
