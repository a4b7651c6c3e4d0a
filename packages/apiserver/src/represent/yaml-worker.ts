// Reads one large YAML document in a thread of its own, so that the event loop is never held up. Started by yaml.ts.

import { parentPort, workerData } from 'node:worker_threads'
import { parseYaml } from './yaml-reader.ts'

const { text, limit } = workerData as { text: string; limit: number }
parentPort?.postMessage(await parseYaml(text, limit))
