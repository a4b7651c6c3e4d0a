// Reads one large YAML document in a thread of its own, so that the event loop is never held up. Started by yaml.ts.

import { parentPort, workerData } from 'node:worker_threads'
import { parseYaml } from './yaml-reader.ts'

parentPort?.postMessage(await parseYaml(workerData as string))
