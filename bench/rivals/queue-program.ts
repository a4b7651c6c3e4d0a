// What each queue's program does when the bench asks, in a process of its own: 50 workers are there; then jobs are added one
// by one from 50 places at once, and the time is taken until the last one is known to be done.

export const WORKERS = 50

export interface Queue {
  add(number: number): Promise<unknown>
}

export interface Asked {
  readonly count: number
}

/** `ready` first, then one of these for each time it was asked. */
export interface Said {
  readonly ms: number
}

/** What a job is about. */
export const PAYLOAD = { source: 's3://pictures/2026/11/holiday.jpg', width: 1280, height: 720, format: 'webp' }

/** `open` starts the workers, which call `done` once for each job that is over. */
export async function serveQueue(open: (where: string, done: () => void) => Promise<Queue>): Promise<void> {
  let left = 0
  let added = 0
  let finish = () => {}
  const queue = await open(process.argv[2] ?? '', () => {
    left--
    if (left === 0) finish()
  })
  process.on('disconnect', () => process.exit(0))
  process.on('message', async ({ count }: Asked) => {
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    left = count
    const end = added + count
    const began = performance.now()
    const adder = async () => {
      while (added < end) await queue.add(added++)
    }
    await Promise.all([finished, ...Array.from({ length: WORKERS }, adder)])
    process.send?.({ ms: performance.now() - began } satisfies Said)
  })
  process.send?.('ready')
}
