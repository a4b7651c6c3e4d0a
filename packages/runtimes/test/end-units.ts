// Ends every unit of a process runtime, whoever started it: so that a test leaves nothing running, however it went.

import { existsSync } from 'node:fs'
import { openProcessRuntime } from '../src/index.ts'

/** Those of the runtime's folder; none where there is no such folder. */
export async function endUnits(directory: string): Promise<void> {
  if (!existsSync(directory)) return
  const runtime = await openProcessRuntime({ directory })
  for (const { id } of await runtime.list({})) await runtime.stop(id, { graceSeconds: 0 })
  await runtime.close()
}
