import type { Client } from '@homeostat/client'
import { expect, it } from 'vitest'
import { submitter } from './submitter.ts'

it('sends what came meanwhile after the turn in which the answer came, so that an executor beside it calls first', async () => {
  const order: string[] = []
  const requestJson = ({ body }: { body: string }) => {
    const { items } = JSON.parse(body) as { items: { metadata: { name: string } }[] }
    order.push(items.map(({ metadata }) => metadata.name).join())
    const answered = new Promise((resolve) => setImmediate(resolve, { items }))
    // What an executor does with the answer to its own call, which is read in the same turn.
    setImmediate(() => order.push('the executor calls'))
    return answered
  }
  const { submit } = submitter({ client: { requestJson } as unknown as Client, colony: 'dev' })
  const spec = { funcName: 'f', conditions: { executorType: 'ml' } }
  const twice = async (name: string) => {
    await submit({ name: `${name}1`, spec })
    await submit({ name: `${name}2`, spec })
  }
  await Promise.all(['a', 'b'].map(twice))
  expect(order.slice(0, 3)).toEqual(['a1,b1', 'the executor calls', 'a2,b2'])
})
