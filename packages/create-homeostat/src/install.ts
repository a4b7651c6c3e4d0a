// Runs `npm install` in a new project.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Whether it succeeded. What npm prints goes to the terminal. */
export async function npmInstall(folder: string): Promise<boolean> {
  // npm is a script on Windows, which only a shell starts.
  const shell = process.platform === 'win32'
  const child = spawn('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit', shell })
  try {
    const [code] = await once(child, 'close')
    return code === 0
  } catch {
    return false
  }
}
