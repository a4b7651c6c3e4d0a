import { expect, test } from 'vitest'
import { applyOrder } from './apply-order.ts'

const placed = (apiVersion: string, kind: string, name: string, spec?: object) => ({
  object: { apiVersion, kind, metadata: { name }, ...(spec && { spec }) },
  where: `${name}:1`,
})
const definition = (kind: string, apiVersion = 'apiextensions.k8s.io/v1') =>
  placed(apiVersion, 'CustomResourceDefinition', `${kind}-definition`, { group: 'ex.io', names: { kind } })

test('namespaces and definitions come first, the rest keeps its order, and only used definitions are waited for', () => {
  const lamp = placed('ex.io/v1', 'Lamp', 'lamp')
  const [used, unused] = [definition('Lamp'), definition('Other')]
  const documents = [lamp, used, placed('v1', 'ConfigMap', 'config'), placed('v1', 'Namespace', 'space'), unused]
  const { first, rest, needed } = applyOrder(documents)
  const names = (some: readonly { object: { metadata: { name?: string } } }[]) =>
    some.map(({ object }) => object.metadata.name)
  expect(names(first)).toEqual(['space', 'Lamp-definition', 'Other-definition'])
  expect(names(rest)).toEqual(['lamp', 'config'])
  expect(names(needed)).toEqual(['Lamp-definition'])
})

test('definitions of the colony count, objects of other groups with such a kind do not, and nonsense breaks nothing', () => {
  expect(applyOrder([definition('Lamp', 'colonies.io/v1')]).first).toHaveLength(1)
  expect(applyOrder([definition('Lamp', 'else.io/v1')]).first).toHaveLength(0)
  expect(applyOrder([placed('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'x')]).first).toHaveLength(1)
})
