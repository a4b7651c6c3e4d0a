// The processor time that work takes, which a busy machine does not stretch as it does the time on the wall.

export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
