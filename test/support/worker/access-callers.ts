/**
 * The callers of the access matrix: how each one authenticates, and a plain reading of its access.
 *
 * `can` is written by hand and shares no code with the product.
 *
 * @module
 */

import { modern, legacyEra, sendAs, type AccessClient, type Send } from './access-client.ts'
import { OWNER_RULES, type Workspace } from './access-tree.ts'
import { freshWorkspace } from './client.ts'
import { stubOf } from './object-life.ts'

export interface Can {
  readonly read: (path: string) => boolean
  readonly write: (path: string) => boolean
}

type Test = (path: string) => boolean

const inside =
  (...folders: string[]): Test =>
  (path) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
const except =
  (...folders: string[]): Test =>
  (path) =>
    !inside(...folders)(path)

const JADE = '/docs/private-jade'
const isFixed: Test = (path) => path.includes('/fixed')
const can = (read: Test, write: Test = read): Can => ({ read, write })
const both = (one: Can, other: Can): Can => ({
  read: (path) => one.read(path) && other.read(path),
  write: (path) => one.write(path) && other.write(path),
})

const OWNED = can(except('/vault-kelp'), (path) => except('/vault-kelp')(path) && !isFixed(path))
const all = (...more: Can[]): Can => more.reduce(both, OWNED)
const DOCS = inside('/docs')
const DOCS_OPEN: Test = (path) => DOCS(path) && except(JADE)(path)

export interface Caller {
  readonly name: string
  readonly can: Can
  /** Authenticates, with a client configuration where one is given. */
  readonly enter: (workspace: Workspace, configuration?: object) => Promise<AccessClient>
}

async function linkFrom(workspace: Workspace, wish: object, meta = {}, client?: AccessClient) {
  const from = client ?? modern(workspace)
  const args = { label: 'helper', ...wish }
  const { body } = await from.ask('tools/call', { name: 'delegate', arguments: args }, meta)
  const url = /http:[^"\\]+\/s\/[^"\\]+\/mcp/.exec(JSON.stringify(body))?.[0]
  if (url === undefined) throw new Error(JSON.stringify(body))
  return freshWorkspace(url)
}

/** Creates a session that the owner consented to, and a token of it. */
export async function tokenOf(
  workspace: Workspace,
  granted: readonly string[],
  scopes: readonly string[] = granted,
): Promise<{ send: Send; session: string }> {
  const body = JSON.stringify({ label: 'client', scopes: granted })
  const made = await stubOf(workspace).fetch('https://workspace/grant', { method: 'POST', body })
  const session = await made.text()
  return { session, send: sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes }) }
}

const POLICY = {
  roots: [{ path: '/docs', deny: ['private-jade/**'], immutable: ['sub-birch/**'] }],
}
const UNDER_POLICY = can(DOCS_OPEN, (path) => DOCS_OPEN(path) && except('/docs/sub-birch')(path))
const SCOPES = ['read:file:/docs', 'write:file:/docs', 'write:file:/drop-mint']
const IN_SCOPES = can(DOCS, inside('/docs', '/drop-mint'))
const CONFIG = { roots: [{ path: '/docs', deny: ['private-jade/**'] }] }
const DENIED = ['read:file:/docs/sub-birch', 'write:file:/docs/open-amber.md']
const NOT_DENIED = can(except('/docs/sub-birch'), except('/docs/open-amber.md'))

const link = (name: string, wish: object, may: Can): Caller => ({
  name,
  can: all(may),
  enter: async (workspace, config) => modern(await linkFrom(workspace, wish), config),
})

const child = (name: string, wish: object, may: Can): Caller => ({
  name,
  can: all(may),
  async enter(workspace, config) {
    const parent = await linkFrom(workspace, wish)
    return modern(await linkFrom(parent, { label: 'child' }), config)
  },
})

/** A caller whose owner adds entries to the rules after it has entered. */
const before = ({ name, can, enter }: Caller, more: readonly object[]): Caller => ({
  name: `${name}, before entries were added to the rules`,
  can,
  async enter(workspace, config) {
    const client = await enter(workspace, config)
    const roots = [...OWNER_RULES.roots, ...more]
    const body = JSON.stringify({ roots })
    const answer = await workspace.fetch('/config', { method: 'PUT', body })
    if (!answer.ok) throw new Error(await answer.text())
    return client
  },
})

const MORE = ['/docs/private-jade', '/vault-kelp', '/outside-lapis', '/drop-mint'].map((path) => ({
  path,
}))

/** A link that was delegated by a restricted call. */
const delegated = (name: string, meta: object, config: object | undefined, may: Can): Caller => ({
  name,
  can: all(may),
  async enter(workspace, own) {
    const from = modern(workspace, config)
    return modern(await linkFrom(workspace, { label: 'child' }, meta, from), own)
  },
})

const token = (
  name: string,
  may: Can,
  granted: readonly string[],
  scopes: readonly string[] = granted,
): Caller => ({
  name,
  can: all(may),
  enter: async (workspace, config) =>
    modern((await tokenOf(workspace, granted, scopes)).send, config),
})

const ANYTHING = can(() => true)

export const CALLERS: readonly Caller[] = [
  {
    name: 'local',
    can: OWNED,
    enter: async (workspace, config) => modern(workspace, config),
  },
  {
    name: 'local, legacy era',
    can: OWNED,
    enter: (workspace, config) => legacyEra(workspace, config),
  },
  link('link with policy', { policy: POLICY }, UNDER_POLICY),
  before(link('link with policy', { policy: POLICY }, UNDER_POLICY), MORE),
  before(link('link with scopes', { scopes: SCOPES }, IN_SCOPES), MORE),
  link('link with scopes', { scopes: SCOPES }, IN_SCOPES),
  {
    ...link('link with scopes, legacy era', { scopes: SCOPES }, IN_SCOPES),
    enter: async (workspace, config) =>
      legacyEra(await linkFrom(workspace, { scopes: SCOPES }), config),
  },
  child('delegate of a link with policy', { policy: POLICY }, UNDER_POLICY),
  child('delegate of a link with scopes', { scopes: SCOPES }, IN_SCOPES),
  delegated('delegate of a call under policy', { policy: POLICY }, undefined, UNDER_POLICY),
  delegated('delegate of a configured call', {}, CONFIG, can(DOCS_OPEN)),
  delegated(
    'delegate of a call with denied scopes',
    { denied_scopes: DENIED },
    undefined,
    NOT_DENIED,
  ),
  token('token, wide', ANYTHING, ['read', 'write']),
  token(
    'token, narrow',
    can(DOCS, () => false),
    ['read:file:/docs'],
  ),
  token(
    'token, write-only',
    can(() => false, inside('/docs', '/drop-mint')),
    ['write:file:/docs', 'write:file:/drop-mint'],
  ),
  token(
    'token, fewer scopes after refresh',
    can(DOCS, inside('/docs/sub-birch')),
    ['read', 'write'],
    ['read:file:/docs', 'write:file:/docs/sub-birch'],
  ),
  {
    name: 'token, legacy era, fewer scopes after refresh',
    can: all(can(DOCS, inside('/docs/sub-birch'))),
    async enter(workspace, config) {
      const wide = await tokenOf(workspace, ['read', 'write'])
      const legacy = await legacyEra(wide.send, config)
      const scopes = ['read:file:/docs', 'write:file:/docs/sub-birch']
      const { session } = wide
      const send = sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes })
      return legacy.with(send)
    },
  },
]

/** Metadata of a request. */
export interface Extra {
  readonly name: string
  readonly configuration?: object
  readonly meta?: object
  /** The caller's access under this metadata. */
  readonly can: Can
}

export const EXTRAS: readonly [Extra, ...Extra[]] = [
  { name: 'nothing', can: ANYTHING },
  { name: 'a configuration', configuration: CONFIG, can: can(DOCS_OPEN) },
  {
    name: 'a configuration and every grant',
    configuration: CONFIG,
    meta: { granted_scopes: ['read', 'write'] },
    can: can(except(JADE)),
  },
  { name: 'every grant', meta: { granted_scopes: ['read', 'write'] }, can: ANYTHING },
  { name: 'a policy', meta: { policy: POLICY }, can: UNDER_POLICY },
  { name: 'denied scopes', meta: { denied_scopes: DENIED }, can: NOT_DENIED },
]

export const combined = (caller: Caller, extra: Extra): Can => both(caller.can, extra.can)
