// What the npm clients share: how a step is reported, and waiting for something to come true. The matrix test reads
// one line "ok STEP" for each; anything else is shown when a program fails.

export const namespace = process.env.CLIENT_NAMESPACE ?? 'default'
export const WIDGETS = { group: 'clients.example.com', version: 'v1', plural: 'widgets' }

export function done(step) {
  console.log(`ok ${step}`)
}

export function expect(fine, text) {
  if (!fine) throw new Error(`expected ${text}`)
}

export async function eventually(text, ask) {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    if (await ask()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`not within 120 s: ${text}`)
}

/** The code of the answer that a call was refused with. */
export async function refusal(call) {
  try {
    await call
  } catch (error) {
    return error.code ?? error.status ?? error.statusCode
  }
  return undefined
}

export function widget(name, size) {
  return { apiVersion: 'clients.example.com/v1', kind: 'Widget', metadata: { name, namespace }, spec: { size } }
}
