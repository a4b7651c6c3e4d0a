// The function `invoke` of executors of the type `serverless`: a Process names a ServerlessFunction and what it is called with. The
// queue retries what may go well later; each try of one Process has the same Idempotency-Key.

import type { Client } from '@homeostat/client'
import { type ExecutorFunction, PermanentError } from '@homeostat/executor'
import { fieldsOf, type Observed, textOf } from '../resource.ts'
import { type Answer, functionTarget, meaningOf } from './function-call.ts'

/** What a Process can carry. */
const LONGEST_ANSWER = 256 * 1024

export function invokeFunction(hosts: readonly string[]): ExecutorFunction {
  return async ({ kwargs, client, process, signal }) => {
    const name = textOf(kwargs.function)
    if (name === undefined) throw new PermanentError('kwargs.function: the name of a ServerlessFunction is needed')
    const namespace = process.metadata.namespace ?? ''
    const functions = client.resourceOf<Observed & { spec?: unknown }>('app.colonies.io/v1', 'ServerlessFunction')
    const found = await functions.find({ name, namespace })
    // It may be created later.
    if (found === undefined) throw new Error(`there is no ServerlessFunction ${name} in ${namespace}`)
    const target = functionTarget(fieldsOf(found.spec), hosts)
    if (typeof target === 'string') throw new PermanentError(target)
    const authorization = await authorizationOf(client, namespace, target.secret)
    const timeout = AbortSignal.timeout(target.timeoutMs)
    const answer = await call(target.url, {
      method: 'POST',
      // The address is checked; one that it leads to is not.
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `${process.metadata.uid}`,
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify(kwargs.payload ?? null),
      signal: AbortSignal.any([signal, timeout]),
    }).catch((cause: unknown) => {
      if (cause instanceof PermanentError) throw cause
      const why = timeout.aborted ? `it took longer than ${target.timeoutMs / 1000} s` : reasonOf(cause)
      throw new Error(`the function ${name} could not be called: ${why}`, { cause })
    })
    const meaning = meaningOf(answer)
    if ('output' in meaning) return meaning.output
    throw meaning.again ? new Error(meaning.error) : new PermanentError(meaning.error)
  }
}

async function call(url: URL, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LONGEST_ANSWER) throw new PermanentError(`the function's answer has more than ${LONGEST_ANSWER} bytes`)
    chunks.push(chunk)
  }
  const contentType = response.headers.get('content-type') ?? ''
  return { status: response.status, contentType, body: Buffer.concat(chunks).toString() }
}

async function authorizationOf(
  client: Client,
  namespace: string,
  name: string | undefined,
): Promise<string | undefined> {
  if (name === undefined) return undefined
  const secret = await client.resource('v1', 'Secret').find({ name, namespace })
  const value = secret?.data?.authorization
  if (value === undefined)
    throw new Error(`spec.secret: there is no Secret ${name} with the key authorization in ${namespace}`)
  return Buffer.from(value, 'base64').toString().trim()
}

/** fetch hides it one deeper. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string; code?: string }; message?: string }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}
