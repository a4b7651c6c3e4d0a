// An add-on with its own installed copies of the packages. What it throws, returns and passes on crosses to the server.

import type { AddOn } from '@homeostat/apiserver/add-on'
import { Numbers } from '@homeostat/base'
import { forbidden, isStatusError, notFound } from '@homeostat/meta'
import {
  type Cluster,
  CustomResource,
  createCustomResourceDefinition,
  operator,
  run,
  waiting,
} from '@homeostat/operator'
import { z } from 'zod'
import { colour, neverFits, notYet, password } from './parts/index.ts'

const spec = z.object({ part: z.enum(['missing', 'large', 'good']) })
let cluster: Promise<Cluster> | undefined

const gadget = operator('copies.dev/v1/Gadget', { spec }, async ({ spec: { part }, namespace }) => {
  if (part === 'missing') throw notYet()
  if (part === 'large') throw neverFits()
  if (cluster === undefined) throw waiting('NotStarted', 'the operator starts')
  return [await password(await cluster, namespace)]
})

class Assembly extends CustomResource<typeof spec> {
  override async reconcile() {
    await this.conditions.set('Colour', { status: 'True', reason: colour(this.services, this.namespace) })
    await this.reconcileSubresource('Part', async () => {
      if (this.spec.part === 'missing') throw notYet()
      if (this.spec.part === 'large') throw neverFits()
      return { ready: true }
    })
  }
}

const assembly = createCustomResourceDefinition({
  group: 'copies.dev',
  version: 'v1',
  kind: 'Assembly',
  spec,
  create: (options) => new Assembly(options),
})

const recognized = new Numbers('counter', { name: 'gadgets_recognized_total', help: 'Errors.', labels: ['error'] })
const definitions = [gadget.definition, assembly.definition]

const addOn: AddOn = {
  name: 'gadgets',
  definitions,
  access: [
    { apiGroups: ['copies.dev'], resources: ['gadgets', 'assemblies'], verbs: ['get', 'list', 'watch', 'patch'] },
    { apiGroups: ['copies.dev'], resources: ['gadgets/status', 'assemblies/status'], verbs: ['patch'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: ['create'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ],
  extensions: [
    {
      group: 'copies.dev',
      version: 'v1',
      resource: 'gadgets',
      subresource: 'manual',
      verb: 'get',
      connect: async ({ name }) => {
        throw notFound({ group: 'copies.dev', resource: 'gadgets' }, `${name}-manual`)
      },
    },
  ],
  rules: [
    {
      group: 'copies.dev',
      resource: 'gadgets',
      load: async () => ({
        prepareForCreate({ metadata }) {
          const { name = '' } = metadata
          if (name === 'forbidden')
            throw forbidden({ group: 'copies.dev', resource: 'gadgets', name }, 'not by this name')
        },
      }),
    },
  ],
  async start(client, signal, { api, log, measure }) {
    measure(recognized)
    const count = (error: unknown) => {
      if (isStatusError(error)) recognized.child(error.reason).add()
    }
    await client.resource('v1', 'ConfigMap').get({ name: 'nowhere', namespace: 'default' }).catch(count)
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }
    await api.create({ group: '', resource: 'namespaces' }, object).catch(count)
    const running = run([gadget, assembly], { client, signal, name: 'gadgets', install: false, log })
    cluster = running.cluster
    await running.done
  },
}

export default addOn
