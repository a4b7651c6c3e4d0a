// Explains why a container could not be created or started. Pure.

export function startProblem(image: string, message: string): string {
  const source = /bind source path does not exist: (.+)$/.exec(message)?.[1]
  if (source !== undefined) {
    return `cannot mount ${source}: there is no such file or folder on the machine of Docker; make it first`
  }
  if (/no command specified/i.test(message)) {
    return `image ${image} does not say what to run: give the container a command`
  }
  if (/no such image/i.test(message)) return `image ${image} is not on this machine any more: try again`
  const [, program, reason] = /exec: "([^"]*)": (.*?)(?:: unknown)?$/s.exec(message) ?? []
  if (program !== undefined) return `cannot start ${program} in image ${image}: ${reason}`
  return `Docker cannot start a container of image ${image}: ${message}`
}
