// What people type: every supported kubectl at hand against a server, and what it prints.

import { type ExecFileException, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ApiServer, startApiServer } from '@homeostat/apiserver'
import { linesOf } from '@homeostat/base/testing/lines-of'
import { ALL_TRIES } from '@homeostat/base/testing/tries'
import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { definition, event } from './garden.ts'
import { needKubectls } from './tools.ts'

const kubectls = needKubectls()
/** The oldest and the newest at a desk: what they print differs little in between, and each costs seven seconds of CPU. */
const tried = ALL_TRIES ? kubectls : kubectls.filter((_, at) => at === 0 || at === kubectls.length - 1)

const folder = mkdtempSync(join(tmpdir(), 'homeostat-kubectl-'))
const store = new MemoryStore()
let server: ApiServer

beforeAll(async () => {
  server = await startApiServer({ store, host: '127.0.0.1', port: 0 })
  const cluster = { server: `http://127.0.0.1:${server.address.port}` }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    users: [{ name: 'test', user: {} }],
    'current-context': 'test',
  }
  writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(config))
})

afterAll(async () => {
  await server.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

describe.each(tried)('kubectl $version', ({ path = '', missing, version }) => {
  // Each version has a kind and a namespace of its own, so that they can run side by side.
  const group = `v${version.replace('.', '-')}.garden.example`
  const space = `space-${version.replace('.', '-')}`
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    KUBECONFIG: join(folder, 'kubeconfig'),
    KUBECACHEDIR: join(folder, `cache-${version}`),
    EDITOR: join(folder, 'edit.sh'),
  }
  const flags = ['--cache-dir', env.KUBECACHEDIR, '--namespace', space]

  const attempt = (args: readonly string[], input = ''): Promise<Ran> =>
    new Promise((resolve) => {
      const done = (error: ExecFileException | null, out: string, err: string) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, out, err })
      const child = execFile(path, [...flags, ...args], { env, timeout: 240_000 }, done)
      child.stdin?.end(input)
    })
  /** What it prints; fails when it does. */
  const kubectl = async (args: string, input?: string): Promise<string> => {
    const { code, out, err } = await attempt(words(args), input)
    expect({ code, err }, `kubectl ${args}`).toMatchObject({ code: 0 })
    return out
  }
  const refused = async (args: string, input?: string): Promise<string> => {
    const { code, err } = await attempt(words(args), input)
    expect(code, `kubectl ${args}`).toBe(1)
    return err
  }
  const tree = (name: string, spec: string, more = '') =>
    `apiVersion: ${group}/v1\nkind: Tree\nmetadata:\n  name: ${name}\n${more}spec: ${spec}\n`

  it.skipIf(missing)('sets up a namespace and a definition', async () => {
    const name = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${space}\n`
    expect(await kubectl('apply -f -', name)).toBe(`namespace/${space} created\n`)
    expect(await kubectl('apply -f -', definition(group))).toBe(
      `customresourcedefinition.apiextensions.k8s.io/trees.${group} created\n`,
    )
    expect(await kubectl(`wait --for=condition=Established crd/trees.${group} --timeout=200s`)).toContain(
      'condition met',
    )
    const definitions = await kubectl('get crd')
    expect(definitions).toMatch(/^NAME +CREATED AT\n/)
    expect(definitions).toMatch(new RegExp(`^trees\\.${group} +\\d{4}-\\d\\d-\\d\\dT`, 'm'))
  })

  describe.skipIf(missing).concurrent('then', () => {
    it('applies: created, unchanged, configured', async () => {
      expect(await kubectl('apply -f -', tree('applied', '{height: 3}'))).toBe(`tree.${group}/applied created\n`)
      expect(await kubectl('apply -f -', tree('applied', '{height: 3}'))).toBe(`tree.${group}/applied unchanged\n`)
      expect(await kubectl('apply -f -', tree('applied', '{height: 4}'))).toBe(`tree.${group}/applied configured\n`)
      expect(await kubectl('get tree applied -o jsonpath={.spec.height},{.metadata.generation}')).toBe('4,2')
      expect(await kubectl('apply -f - --dry-run=server', tree('applied', '{height: 5}'))).toBe(
        `tree.${group}/applied configured (server dry run)\n`,
      )
      expect(await kubectl('apply -f - --dry-run=server', tree('imagined', '{height: 5}'))).toBe(
        `tree.${group}/imagined created (server dry run)\n`,
      )
      expect(await refused('get tree imagined')).toContain('not found')
      const { code, out } = await attempt(['diff', '-f', '-'], tree('applied', '{height: 6}'))
      expect(code).toBe(1)
      expect(out).toMatch(/^-\s+height: 4$/m)
      expect(out).toMatch(/^\+\s+height: 6$/m)
    })

    it('says what is wrong with what it applies', async () => {
      expect(await refused('apply -f -', tree('wrong', '{height: 3, hight: 4}'))).toContain(
        'strict decoding error: unknown field "spec.hight"',
      )
      expect(await refused('apply -f -', tree('wrong', '{}'))).toContain('spec.height: Required value')
      expect(await refused('apply -f -', tree('wrong', '{height: 1, kind: pine}'))).toContain(
        'spec.kind: Unsupported value: "pine": supported values: "oak", "beech"',
      )
      expect(await refused('apply -f - -n nowhere', tree('wrong', '{height: 1}'))).toContain(
        'namespaces "nowhere" not found',
      )
    })

    it('applies a definition whose conversion webhook is away, and its objects in the stored version', async () => {
      // Others count the resources of the group.
      const water = `water.${group}`
      const webhooked = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ponds.${water}}
spec:
  group: ${water}
  names: {kind: Pond, plural: ponds}
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      clientConfig: {service: {name: webhook-service, namespace: pond-system, path: /convert}}
      conversionReviewVersions: [v1, v1beta1]
  versions:
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}}
  - {name: v1beta2, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {litres: {type: integer}}}}}}}
`
      const pond = (version: string, spec: string) =>
        `apiVersion: ${water}/${version}\nkind: Pond\nmetadata: {name: deep}\nspec: ${spec}\n`
      expect(await attempt(['apply', '-f', '-'], webhooked)).toMatchObject({ code: 0, err: '' })
      expect(await kubectl('apply -f -', webhooked)).toContain('unchanged')
      await kubectl(`wait --for=condition=Established crd/ponds.${water} --timeout=200s`)
      expect(await kubectl('apply -f -', pond('v1beta2', '{litres: 7}'))).toBe(`pond.${water}/deep created\n`)
      expect(await refused('apply -f -', pond('v1beta1', '{size: small}'))).toContain(
        `conversion webhook for ${water}/v1beta2, Kind=Pond failed`,
      )
      expect(await kubectl(`get ponds.${water} deep -o jsonpath={.apiVersion},{.spec.litres}`)).toBe(
        `${water}/v1beta2,7`,
      )
    })

    it('creates, replaces, and reports what exists', async () => {
      expect(await kubectl('create -f -', tree('made', '{height: 1}'))).toBe(`tree.${group}/made created\n`)
      expect(await refused('create -f -', tree('made', '{height: 1}'))).toContain(
        `trees.${group} "made" already exists`,
      )
      expect(await kubectl('replace -f -', tree('made', '{height: 2}'))).toBe(`tree.${group}/made replaced\n`)
      expect(await refused('replace -f -', tree('unmade', '{height: 2}'))).toContain('not found')
    })

    it('gets: a table, a wide one, labels, JSON, YAML, names', async () => {
      await kubectl('create -f -', tree('shown', '{height: 7, kind: oak}', '  labels: {show: me}\n'))
      const table = await kubectl('get trees -l show=me')
      expect(table).toMatch(/^NAME +HEIGHT +READY +AGE\nshown +7 +\d+s\n$/)
      expect(await kubectl('get tr -l show -o wide')).toMatch(/^NAME +HEIGHT +KIND +READY +AGE\nshown +7 +oak +\d+s\n$/)
      expect(await kubectl('get tree shown --show-labels')).toMatch(/LABELS\nshown .* show=me\n$/)
      expect(await kubectl('get tree shown -o name')).toBe(`tree.${group}/shown\n`)
      expect(JSON.parse(await kubectl('get tree shown -o json'))).toMatchObject({
        apiVersion: `${group}/v1`,
        kind: 'Tree',
        spec: { height: 7, replicas: 1 },
      })
      expect(await kubectl('get tree shown -o yaml')).toContain('spec:\n  height: 7\n  kind: oak\n  replicas: 1\n')
      expect(await kubectl('get trees -A -l show')).toMatch(new RegExp(`^NAMESPACE +NAME.*\n${space} +shown `))
      expect(await kubectl('get all -l show')).toMatch(/^NAME +HEIGHT +READY +AGE\ntree\.\S+\/shown +7 /)
      expect(await kubectl('get trees --field-selector metadata.name=shown -o name')).toBe(`tree.${group}/shown\n`)
      expect(await refused('get tree nobody')).toBe(`Error from server (NotFound): trees.${group} "nobody" not found\n`)
      expect((await attempt(['get', 'trees', '-l', 'no=body'])).err).toContain('No resources found')
      expect(await kubectl(`get --raw /apis/${group}/v1`)).toContain('"APIResourceList"')
      expect(await kubectl('get trees --chunk-size=1 -o name')).toContain('/shown')
    })

    it('watches', async () => {
      await kubectl('create -f -', tree('watched', '{height: 1}'))
      const child = spawn(path, [...flags, 'get', 'trees', '-w', '-l', 'watch=me'], { env })
      onTestFinished(() => void child.kill())
      const printed = nextLineOf(child.stdout)
      await kubectl('label tree watched watch=me')
      expect(await printed()).toMatch(/^NAME +HEIGHT +READY +AGE$/)
      expect(await printed()).toMatch(/^watched +1 /)
      await kubectl('patch tree watched --type merge -p {"spec":{"height":2}}')
      expect(await printed()).toMatch(/^watched +2 /)
    })

    it('describes, with the events about the object', async () => {
      await kubectl('create -f -', tree('described', '{height: 8}', '  annotations: {why: tests}\n'))
      const uid = await kubectl('get tree described -o jsonpath={.metadata.uid}')
      await kubectl('create -f -', event(space, group, uid))
      const text = await kubectl('describe tree described')
      expect(text).toMatch(/^Name: +described\n/)
      expect(text).toContain(`Namespace:    ${space}\n`)
      expect(text).toMatch(/Annotations: +why: tests/)
      expect(text).toMatch(/Spec:\n +Height: +8\n/)
      expect(text).toMatch(
        /Events:\n +Type +Reason +Age +From +Message\n.*\n +Normal +Grown +.* gardener +It has grown/,
      )
      expect(await kubectl('get events')).toMatch(
        /LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n.* Normal +Grown +tree\/described +It has grown\n/,
      )
    })

    it('edits', async () => {
      await kubectl('create -f -', tree('edited', '{height: 1}'))
      writeFileSync(env.EDITOR, '#!/bin/sh\nsed -i "s/height: 1$/height: 42/" "$1"\n')
      chmodSync(env.EDITOR, 0o755)
      expect(await kubectl('edit tree edited')).toBe(`tree.${group}/edited edited\n`)
      expect(await kubectl('get tree edited -o jsonpath={.spec.height}')).toBe('42')
      expect(
        (await attempt(['edit', 'tree', 'edited'])).err + (await attempt(['edit', 'tree', 'edited'])).out,
      ).toContain('no changes made')
    })

    it('labels, annotates, patches and scales', async () => {
      await kubectl('create -f -', tree('changed', '{height: 1}'))
      expect(await kubectl('label tree changed a=b')).toBe(`tree.${group}/changed labeled\n`)
      expect(await refused('label tree changed a=c')).toContain('already has a value')
      expect(await kubectl('label tree changed a-')).toBe(`tree.${group}/changed unlabeled\n`)
      // 1.27 leaves out the last letter.
      expect(await kubectl('annotate tree changed c=d')).toMatch(/\/changed annotated?\n$/)
      expect(await kubectl('patch tree changed --type merge -p {"spec":{"height":5}}')).toContain('patched')
      expect(await kubectl('patch tree changed --type merge -p {"spec":{"height":5}}')).toContain('patched (no change)')
      expect(
        await kubectl('patch tree changed --type json -p [{"op":"replace","path":"/spec/height","value":6}]'),
      ).toContain('patched')
      expect(await refused('patch tree changed -p {"spec":{"height":7}}')).toContain(
        'strategic-merge-patch+json is not supported',
      )
      expect(
        await kubectl('patch tree changed --subresource=status --type merge -p {"status":{"replicas":2}}'),
      ).toContain('patched')
      expect(await kubectl('scale tree changed --replicas=3')).toBe(`tree.${group}/changed scaled\n`)
      expect(await refused('scale tree changed --current-replicas=9 --replicas=1')).toContain(
        'Expected replicas to be 9',
      )
      expect(await kubectl('get tree changed -o jsonpath={.spec},{.status},{.metadata.annotations}')).toBe(
        '{"height":6,"replicas":3},{"replicas":2},{"c":"d"}',
      )
    })

    it('waits for conditions, for values, and for the end', async () => {
      await kubectl('create -f -', tree('awaited', '{height: 1}', '  finalizers: [example.com/hold]\n'))
      const ready = kubectl('wait --for=condition=Ready tree/awaited --timeout=200s')
      const tall = kubectl('wait --for=jsonpath={.spec.height}=9 tree/awaited --timeout=200s')
      await kubectl('patch tree awaited --type merge -p {"spec":{"height":9}}')
      const status = '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'
      await kubectl(`patch tree awaited --subresource=status --type merge -p ${status}`)
      expect(await ready).toBe(`tree.${group}/awaited condition met\n`)
      expect(await tall).toBe(`tree.${group}/awaited condition met\n`)
      expect(await kubectl('get tree awaited')).toMatch(/awaited +9 +True /)
      const gone = kubectl('wait --for=delete tree/awaited --timeout=200s')
      const deleted = kubectl('delete tree awaited')
      expect(
        await kubectl('wait --for=jsonpath={.metadata.deletionGracePeriodSeconds}=0 tree/awaited --timeout=200s'),
      ).toContain('met')
      await kubectl('patch tree awaited --type merge -p {"metadata":{"finalizers":null}}')
      expect(await deleted).toMatch(/^tree\..* "awaited" deleted/)
      expect(await gone).toContain('condition met')
    })

    it('explains kinds and fields', async () => {
      const text = await kubectl(`explain tree --api-version=${group}/v1`)
      expect(text).toMatch(/KIND: +Tree\nVERSION: +v1\n\nDESCRIPTION:\n +A tree in a garden\.\s+FIELDS:\n/)
      expect(text).toMatch(/ {2}spec\t<Object>\n +What the tree shall be like\./)
      expect(text).toMatch(/ {2}metadata\t<ObjectMeta>/)
      const field = await kubectl(`explain tree.spec.height --api-version=${group}/v1`)
      expect(field).toMatch(/FIELD: height <integer>\n+DESCRIPTION:\n +How many metres high\./)
      expect(await kubectl('explain configmap.data')).toContain('FIELD: data <map[string]string>')
      const probe = await kubectl('explain pod.spec.containers.livenessProbe.periodSeconds')
      expect(probe).toMatch(/DESCRIPTION:\s+Seconds between two checks\. 10 by default\./)
      const schema = await kubectl('explain crd.spec.versions.schema.openAPIV3Schema.properties.required')
      expect(schema).toMatch(/DESCRIPTION:\s+Fields that must be there\./)
      expect(await refused(`explain tree.spec.nothing --api-version=${group}/v1`)).toContain(
        'field "nothing" does not exist',
      )
    })

    it('lists resources and versions', async () => {
      const resources = await kubectl(`api-resources --api-group=${group}`)
      expect(resources).toMatch(
        new RegExp(`^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND\ntrees +tr +${group}/v1 +true +Tree\n$`),
      )
      expect(await kubectl('api-resources --namespaced=false -o name')).toContain('namespaces\n')
      expect((await kubectl('api-versions')).split('\n')).toEqual(
        expect.arrayContaining(['apiextensions.k8s.io/v1', 'coordination.k8s.io/v1', `${group}/v1`, 'v1']),
      )
      expect(await kubectl('version')).toMatch(/Server Version: .*v1\.35\.8\+homeostat/)
    })
  })

  it.skipIf(missing)('deletes one, all, a namespace with everything in it, and the definition', async () => {
    for (const name of ['one', 'two', 'three'])
      await kubectl('create -f -', tree(name, '{height: 1}', '  labels: {set: x}\n'))
    expect(await kubectl('delete tree one')).toMatch(new RegExp(`^tree\\.${group} "one" deleted`))
    expect(await kubectl('delete trees -l set=x -o name')).toMatch(/three[\s\S]*two/)
    expect(await kubectl('delete trees --all')).toContain('"applied" deleted')
    expect((await attempt(['delete', 'trees', '--all'])).out).toBe('No resources found\n')
    await kubectl('create -f -', tree('left', '{height: 1}'))
    expect(await kubectl(`delete namespace ${space}`)).toContain(`namespace "${space}" deleted`)
    expect(await refused(`get namespace ${space}`)).toContain('not found')
    expect((await attempt(['get', 'trees', '-A'])).err).toContain('No resources found')
    expect(await refused('delete namespace default')).toContain('this namespace may not be deleted')
    expect(await kubectl(`delete crd trees.${group}`)).toContain('deleted')
    expect(await refused('get trees')).toContain('the server could not find the requested resource')
    expect(await kubectl('get namespaces')).toMatch(/^NAME +STATUS +AGE\ndefault +Active +/)
  })
})

/** Arguments here hold no spaces but those between them. */
function words(args: string): string[] {
  return args.split(' ')
}

function nextLineOf(stream: Readable): () => Promise<string> {
  const lines = linesOf(stream)
  return async () => String((await lines.next()).value)
}
