// `homeostat login`: logs a person in at an OIDC issuer and tells kubectl how to. With --exec it is the credential plugin that
// kubectl and our clients start: its output is the token, and everything else goes to standard error.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock } from '@homeostat/base'
import { isObject, writeJson } from '@homeostat/meta'
import { Fault, systemCode, usageFault } from '../fault.ts'
import { Issuer } from '../login/issuer.ts'
import { withLogin } from '../login/kubeconfig-user.ts'
import { cacheName, issuerProblem, type LoginRequest } from '../login/login-request.ts'
import { obtainTokens } from '../login/obtain-tokens.ts'
import { TokenCache } from '../login/token-cache.ts'
import type { loginOptions } from '../options/option-groups.ts'
import type { Values } from '../options/option-table.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { replaceDurable } from '../server/durable-file.ts'
import type { Terminal } from '../terminal.ts'
import { noOperands } from './operands.ts'

type LoginValues = Values<(typeof loginOptions)[number]>

const PATIENCE_MS = 5 * 60_000
const API_VERSION = 'client.authentication.k8s.io/v1'

export async function login(values: LoginValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  noOperands(operands)
  const request = requestOf(values)
  const { env } = terminal
  const cache = new TokenCache(cacheFolder(env), cacheName(request))
  const stop = new AbortController()
  void terminal.ending?.().then(() => stop.abort(new Fault('the login was ended')))
  const patience = setTimeout(() => stop.abort(new Fault('nobody logged in within 5 minutes; try again')), PATIENCE_MS)
  try {
    const issuer = new Issuer(request.issuer, { ca: authorityOf(request.authorityFile), signal: stop.signal })
    const { idToken, expiresAt } = await obtainTokens({
      request,
      issuer,
      cache,
      isInteractive: !values.exec || isInteractive(env),
      anew: !values.exec,
      show: (url, code) => show(url, code, terminal),
      signal: stop.signal,
      clock: terminal.clock ?? systemClock,
    })
    if (values.exec) {
      const status = { token: idToken, expirationTimestamp: new Date(expiresAt).toISOString() }
      terminal.out(`${writeJson({ apiVersion: API_VERSION, kind: 'ExecCredential', status })}\n`)
    } else {
      const file = writeUser(values, request, env)
      terminal.out(`logged in at ${request.issuer}; ${file} uses it from now on (context ${values['login-name']})\n`)
    }
  } finally {
    clearTimeout(patience)
  }
  return 0
}

function requestOf(values: LoginValues): LoginRequest {
  const { issuer, 'client-id': clientId, scope, device } = values
  if (!issuer) throw usageFault('name the issuer: homeostat login --issuer https://ISSUER --client-id ID')
  if (!clientId) throw usageFault('name the client that the issuer knows: homeostat login --issuer URL --client-id ID')
  const problem = issuerProblem(issuer)
  if (problem !== undefined) throw usageFault(`--issuer ${escapeControls(issuer)}: ${problem}`)
  const ca = values['issuer-ca']
  return {
    issuer,
    clientId,
    scopes: scope.length > 0 ? scope : undefined,
    authorityFile: ca === undefined ? undefined : resolve(ca),
    device,
  }
}

function authorityOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Fault(`--issuer-ca ${file} cannot be read (${systemCode(cause)})`, { cause })
  }
}

/** kubectl tells its plugins whether a person is there. */
function isInteractive(env: Terminal['env']): boolean {
  try {
    const info: unknown = JSON.parse(env.KUBERNETES_EXEC_INFO ?? '')
    return isObject(info) && isObject(info.spec) && info.spec.interactive === true
  } catch {
    return true
  }
}

function cacheFolder(env: Terminal['env']): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'homeostat', 'login')
}

function writeUser(values: LoginValues, request: LoginRequest, env: Terminal['env']): string {
  // Of several files kubectl writes to the first, too.
  const file = (values.kubeconfig?.split(':')[0] || join(env.HOME || homedir(), '.kube/config')) as string
  try {
    replaceDurable(file, withLogin(readFileSync(file, 'utf8'), file, values['login-name'], request))
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault(`${file} cannot be changed (${systemCode(cause)}); name a kubeconfig with --kubeconfig`, { cause })
  }
  return file
}

function show(url: string, code: string | undefined, terminal: Terminal): void {
  const what = code === undefined ? '' : ` and type the code ${escapeControls(code)}`
  terminal.error(`to log in, open this page in a browser${what}:\n  ${escapeControls(url)}\n`)
  if (code === undefined) openBrowser(url, terminal.env)
}

/** What cannot be opened was printed. */
function openBrowser(url: string, env: Terminal['env']): void {
  const command = env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  if (command === 'none') return
  const child = spawn(command, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
