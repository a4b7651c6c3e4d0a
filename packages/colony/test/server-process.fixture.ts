// A server with a colony in a process of its own, which says where it listens: `node server-process.fixture.ts LOST_MS`.

import { testColony } from '@homeostat/testing/colony'

const { url } = await testColony({ listen: true, lostMs: Number(process.argv[2]) })
process.stdout.write(`${url}\n`)
