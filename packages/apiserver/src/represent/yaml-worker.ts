// Reads one large YAML document in a worker thread, so that it never blocks the event loop. Started by yaml.ts.

import { parentPort, workerData } from 'node:worker_threads'
import { parseYaml } from './yaml-reader.ts'

const { text, limit } = workerData as { text: string; limit: number }
parentPort?.postMessage(await parseYaml(text, limit))
