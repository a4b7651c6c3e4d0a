import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { definitionStatus, planDefinition } from './definition-plan.ts'

/** As the documents write it. */
const executorDeployments: KubeObject = {
  apiVersion: 'colonies.io/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'executordeployments.compute.colonies.io', uid: 'd1', generation: 2 },
  spec: {
    group: 'compute.colonies.io',
    version: 'v1',
    names: { kind: 'ExecutorDeployment', plural: 'executordeployments', shortNames: ['execdeploy', 'ed'] },
    scope: 'Namespaced',
    schema: {
      type: 'object',
      properties: { runtime: { type: 'string', enum: ['docker', 'local'] }, replicas: { type: 'integer' } },
      required: ['runtime', 'replicas'],
    },
    handler: {
      executorType: 'executor-deployment-controller',
      functionName: 'reconcile_executor_deployment',
      reconcileInterval: 30,
    },
  },
}

describe('what a definition becomes', () => {
  it('is one CustomResourceDefinition', () => {
    expect(planDefinition(executorDeployments)).toMatchInlineSnapshot(`
      {
        "annotations": {
          "colonies.io/handler": "{"executorType":"executor-deployment-controller","functionName":"reconcile_executor_deployment","reconcileInterval":30}",
          "homeostat.dev/create-namespaces": "true",
        },
        "spec": {
          "group": "compute.colonies.io",
          "names": {
            "kind": "ExecutorDeployment",
            "listKind": "ExecutorDeploymentList",
            "plural": "executordeployments",
            "shortNames": [
              "execdeploy",
              "ed",
            ],
            "singular": "executordeployment",
          },
          "scope": "Namespaced",
          "versions": [
            {
              "additionalPrinterColumns": [
                {
                  "jsonPath": ".status.conditions[?(@.type=="Ready")].status",
                  "name": "Ready",
                  "type": "string",
                },
                {
                  "jsonPath": ".status.phase",
                  "name": "Phase",
                  "type": "string",
                },
                {
                  "jsonPath": ".status.conditions[?(@.type=="Progressing")].status",
                  "name": "Progressing",
                  "priority": 1,
                  "type": "string",
                },
                {
                  "jsonPath": ".status.conditions[?(@.type=="Ready")].reason",
                  "name": "Reason",
                  "priority": 1,
                  "type": "string",
                },
                {
                  "jsonPath": ".status.conditions[?(@.type=="Ready")].message",
                  "name": "Message",
                  "priority": 1,
                  "type": "string",
                },
                {
                  "jsonPath": ".metadata.creationTimestamp",
                  "name": "Age",
                  "type": "date",
                },
              ],
              "name": "v1",
              "schema": {
                "openAPIV3Schema": {
                  "properties": {
                    "spec": {
                      "properties": {
                        "replicas": {
                          "type": "integer",
                        },
                        "runtime": {
                          "enum": [
                            "docker",
                            "local",
                          ],
                          "type": "string",
                        },
                      },
                      "required": [
                        "runtime",
                        "replicas",
                      ],
                      "type": "object",
                      "x-kubernetes-preserve-unknown-fields": true,
                    },
                    "status": {
                      "properties": {
                        "conditions": {
                          "items": {
                            "properties": {
                              "lastTransitionTime": {
                                "format": "date-time",
                                "type": "string",
                              },
                              "message": {
                                "type": "string",
                              },
                              "observedGeneration": {
                                "format": "int64",
                                "type": "integer",
                              },
                              "reason": {
                                "type": "string",
                              },
                              "status": {
                                "type": "string",
                              },
                              "type": {
                                "type": "string",
                              },
                            },
                            "required": [
                              "type",
                              "status",
                            ],
                            "type": "object",
                            "x-kubernetes-preserve-unknown-fields": true,
                          },
                          "type": "array",
                          "x-kubernetes-list-map-keys": [
                            "type",
                          ],
                          "x-kubernetes-list-type": "map",
                        },
                        "observedGeneration": {
                          "format": "int64",
                          "type": "integer",
                        },
                      },
                      "type": "object",
                      "x-kubernetes-preserve-unknown-fields": true,
                    },
                  },
                  "required": [
                    "spec",
                  ],
                  "type": "object",
                },
              },
              "served": true,
              "storage": true,
              "subresources": {
                "status": {},
              },
            },
          ],
        },
      }
    `)
  })

  it.each([
    ['no schema', { schema: undefined }, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    ['a schema without a type', { schema: { additionalProperties: false } }, { type: 'object' }],
  ])('with %s has a spec nevertheless', (_, parts, spec) => {
    const plan = planDefinition({ ...executorDeployments, spec: { ...(executorDeployments.spec as object), ...parts } })
    expect(plan).toMatchObject({
      spec: { versions: [{ schema: { openAPIV3Schema: { properties: { spec } } } }] },
    })
  })

  it.each([
    ['another name', { metadata: { name: 'ed.compute.colonies.io' } }, 'InvalidName', 'executordeployments.compute'],
    [
      'a schema that is no object',
      { spec: { ...(executorDeployments.spec as object), schema: { type: 'string' } } },
      'InvalidSchema',
      'spec.schema.type',
    ],
  ])('is nothing with %s', (_, parts, reason, message) => {
    expect(planDefinition({ ...executorDeployments, ...parts })).toEqual({
      reason,
      message: expect.stringContaining(message),
    })
  })
})

describe('what a definition says of itself', () => {
  const at = Date.UTC(2030, 0, 1)
  const made: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {},
    status: { conditions: [{ type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'ok' }] },
  }
  const words = (status: ReturnType<typeof definitionStatus>) =>
    status.conditions?.map(({ type, status, reason }) => `${type}=${status}/${reason}`)

  it.each([
    ['not made yet', undefined, undefined, ['Accepted=True/Accepted', 'Established=False/NotMade']],
    ['served', undefined, made, ['Accepted=True/Accepted', 'Established=True/InitialNamesAccepted']],
    [
      'refused, and still served as it was',
      { reason: 'InvalidSchema', message: 'x' },
      made,
      ['Accepted=False/InvalidSchema', 'Established=True/InitialNamesAccepted'],
    ],
    [
      'being deleted',
      undefined,
      { ...made, metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
      ['Accepted=True/Accepted', 'Established=False/Terminating'],
    ],
    ['young', undefined, { ...made, status: {} }, ['Accepted=True/Accepted', 'Established=False/Pending']],
  ])('%s', (_, refused, crd, conditions) => {
    const status = definitionStatus(executorDeployments, refused, crd, at)
    expect(words(status)).toEqual(conditions)
    expect(status.observedGeneration).toBe(2)
    // Said again it is the same, whatever the time.
    const again = definitionStatus({ ...executorDeployments, status }, refused, crd, at + 60_000)
    expect(again).toEqual(status)
  })
})
