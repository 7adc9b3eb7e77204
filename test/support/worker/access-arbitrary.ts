/**
 * Random requests with every part that affects access, and a plain reading of what each one permits.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { isWithin, parsePath, type StorePath } from '#core/path.ts'
import { parseScope } from '#core/scope.ts'
import { NO_METADATA, type CallMetadata } from '#worker/access/metadata.ts'
import type { Session } from '#worker/access/session.ts'
import { given, oracleOf, type RawConfig, type RawPolicy, type Whose } from '../core/policy-laws.ts'
import fc from '../core/random.ts'

const NAMES = ['a', 'b', 'ab']
const below = (folder: string) => NAMES.map((name) => `${folder}/${name}`)
const TOP = below('')
export const FOLDERS = ['/', ...TOP, '/a/b', '/a/ab', '/b/a', '/b/ab']
/** Folders, and files of which some exist. */
export const PATHS: readonly StorePath[] = [
  ...FOLDERS,
  ...['/a/a', '/a/b/a', '/a/b/b', '/a/ab/a', '/b/b', '/b/a/ab', '/b/ab/b', '/ab/a'],
].map((path) => parsePath(path))

const GLOBS = ['**', '*', 'a', 'a/**', '**/b', 'b/*', '*/a/**', '[!a]*', '{a,ab}/**', '**/ab']
const globs = fc.array(fc.constantFrom(...GLOBS), { maxLength: 2 })
const lists = { deny: globs, allow: globs, immutable: globs }
const approval = fc.constantFrom(...APPROVAL_LEVELS)
export const rootWith = <T extends object>(more: T) =>
  fc.record(
    { path: fc.constantFrom(...FOLDERS), approval, ...lists, ...more },
    { requiredKeys: ['path'] },
  )

export const rawConfig: fc.Arbitrary<RawConfig> = fc.record(
  {
    roots: fc.array(rootWith({ default: fc.boolean() }), { minLength: 1, maxLength: 3 }),
    allow_escape: fc.boolean(),
    approval: fc.constantFrom('none', 'none', 'notify'),
  },
  { requiredKeys: ['roots'] },
)
const rawPolicy: fc.Arbitrary<RawPolicy> = fc.record({
  roots: fc.array(rootWith({ blocked: fc.boolean() }), { maxLength: 3 }),
})
export const clientConfig: fc.Arbitrary<RawConfig> = fc.record({
  roots: fc.array(rootWith({}), { minLength: 1, maxLength: 2 }),
})

const scope = fc
  .tuple(
    fc.constantFrom('read', 'write', 'read', 'write', 'execute'),
    fc.constantFrom('', ':file', ...FOLDERS.map((path) => `:file:${path}`)),
  )
  .map((parts) => parts.join(''))
export const scopes = fc.array(scope, { minLength: 1, maxLength: 4 })
/** Mostly absent: a request with many parts is often refused, and a refused one compares nothing. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

export interface RawLink {
  /** Scopes that the owner allowed this session. */
  readonly allowed?: string[] | undefined
  readonly policy?: RawPolicy | undefined
  readonly scopes?: string[] | undefined
  readonly config?: RawConfig | undefined
  readonly inherited: {
    readonly config?: RawConfig | undefined
    readonly policy?: RawPolicy | undefined
    readonly denied?: string[] | undefined
    /** The roots of the owner when the session was made. */
    readonly roots?: RawKept | undefined
  }
}

interface RawKept {
  readonly roots: readonly string[]
  readonly base: string
}

const kept: fc.Arbitrary<RawKept> = fc
  .uniqueArray(fc.constantFrom('/', '/a', '/b', '/a/b', '/b/a'), { minLength: 1, maxLength: 2 })
  .map((roots) => ({ roots, base: roots[0] ?? '/' }))

const link: fc.Arbitrary<RawLink> = fc.record({
  policy: maybe(rawPolicy),
  scopes: maybe(scopes),
  config: maybe(clientConfig),
  inherited: fc.record({
    config: maybe(clientConfig),
    policy: maybe(rawPolicy),
    denied: maybe(scopes),
    roots: maybe(kept),
  }),
})

/** All parts of one request. */
export interface RawRequest {
  readonly owner: RawConfig
  readonly links: readonly RawLink[]
  readonly token: string[] | undefined
  readonly configuration: RawConfig | undefined
  readonly policy: RawPolicy | undefined
  readonly granted: string[]
  readonly denied: string[]
}

export const request: fc.Arbitrary<RawRequest> = fc.record({
  owner: rawConfig,
  links: fc.array(link, { maxLength: 3 }),
  token: maybe(scopes),
  configuration: maybe(clientConfig),
  policy: maybe(rawPolicy),
  granted: fc.array(scope, { maxLength: 3 }),
  denied: fc.array(scope, { maxLength: 2 }),
})

export const wish = fc.record({ policy: maybe(rawPolicy), scopes: maybe(scopes) })

export const ownerOf = ({ owner }: RawRequest): Config => given(readConfig(owner, DEFAULT_CONFIG))

export function chainOf(links: readonly RawLink[]): Session[] {
  return links.map(({ policy, scopes: held, config, inherited, allowed }, depth) => ({
    id: String(depth),
    parent: depth === 0 ? null : String(depth - 1),
    principal: 'p',
    label: 'l',
    config: config ?? null,
    policy: policy ?? null,
    scopes: held ?? null,
    inherited: JSON.parse(JSON.stringify(inherited)),
    budget: 'p',
    initialize: null,
    transfer: null,
    created: 0,
    expires: null,
    ...(allowed && { allowed }),
  }))
}

export function metadataOf({ policy, granted, denied }: RawRequest): CallMetadata {
  const parsed = (texts: readonly string[]) => texts.map((text) => parseScope(text))
  return { ...NO_METADATA, policy, granted: parsed(granted), denied: parsed(denied) }
}

/** The approval level of a change to a path: the strictest one that any part of a request says of it. */
export function plainLevel(raw: RawRequest, path: StorePath): ApprovalLevel {
  const ofLinks = raw.links.flatMap(({ policy, config, inherited }) => [
    policy,
    config,
    inherited.config,
    inherited.policy,
  ])
  const all = [raw.owner, ...ofLinks, raw.configuration, raw.policy]
  const concerns = (folder: StorePath) => isWithin(path, folder) || isWithin(folder, path)
  const levels = all.flatMap((one) => [
    one?.approval,
    ...(one?.roots ?? [])
      .filter((root) => concerns(parsePath(root.path)))
      .map((root) => root.approval),
  ])
  return APPROVAL_LEVELS.findLast((level) => levels.includes(level)) ?? 'none'
}

type Judge = ReturnType<typeof oracleOf>['judge']

export type Action = 'read' | 'write'

/** What a request permits, read from its JSON rule by rule. It holds only for a request that is accepted. */
export function plainReading(raw: RawRequest): (action: Action, path: StorePath) => boolean {
  const ceiling = new Layers(raw.owner)
  const lists: string[][] = []
  const denied = [...raw.denied]
  raw.links.forEach(({ policy, scopes: held, config, inherited }, depth) => {
    ceiling.configure(inherited.config)
    ceiling.keep(inherited.roots)
    ceiling.restrict(inherited.policy)
    ceiling.restrict(policy)
    if (held) lists.push(held)
    if (depth < raw.links.length - 1) ceiling.configure(config)
    denied.push(...(inherited.denied ?? []))
  })
  const lifted = lists.length
  if (raw.token) lists.push(raw.token)
  const area = ceiling.copy()
  area.configure(raw.links.at(-1)?.config)
  area.configure(raw.configuration)
  area.restrict(raw.policy)
  const [must, own] = [ceiling.judges(), area.judges()]
  const grants = raw.policy ? [] : raw.granted
  const allowed = raw.policy ? [] : (raw.links.at(-1)?.allowed ?? [])
  return (action, path) => {
    const isIn = (texts: readonly string[]) => texts.some((text) => opens(text, action, path))
    const isScoped = lists.every((list, at) => isIn(list) || (at < lifted && isIn(allowed)))
    if (!isScoped || isIn(denied)) return false
    const passes = (verdict: ReturnType<Judge>) =>
      verdict === 'permitted' || (verdict === 'outside' && isIn(allowed))
    if (!must.every((judge) => passes(judge(path)))) return false
    return own.every((judge, at) => {
      const verdict = judge(path)
      const isOpened = isIn(grants) || (at < must.length && isIn(allowed))
      return verdict === 'permitted' || (verdict === 'outside' && isOpened)
    })
  }
}

function opens(text: string, action: Action, path: StorePath): boolean {
  const [verb, , folder] = text.split(':')
  return verb === action && (folder === undefined || isWithin(path, parsePath(folder)))
}

/** Configurations, each with the policies that were read against it. */
class Layers {
  readonly #all: { config: RawConfig; by: Whose; policies: RawPolicy[] }[]
  constructor(owner: RawConfig, all = [layer(owner, 'owner')]) {
    this.#all = all
  }
  copy(): Layers {
    const all = this.#all.map((one) => ({ ...one, policies: [...one.policies] }))
    return new Layers({ roots: [] }, all)
  }
  configure(config: RawConfig | undefined): void {
    if (config) this.#all.push(layer(config, 'client'))
  }
  keep(kept: RawKept | undefined): void {
    if (!kept) return
    const roots = kept.roots.map((path) => ({ path, default: path === kept.base }))
    // Policies refer to the roots of a configuration, if there is one.
    this.#all.splice(1, 0, layer({ roots }, 'owner'))
  }
  restrict(policy: RawPolicy | undefined): void {
    if (!policy) return
    for (const one of this.#all) one.config = { ...one.config, allow_escape: false }
    this.#all.at(-1)?.policies.push(policy)
  }
  judges(): Judge[] {
    return this.#all.map(({ config, by, policies }) => {
      const oracle = oracleOf(config, policies, by)
      return (path) => oracle.judge(path)
    })
  }
}

const layer = (config: RawConfig, by: Whose) => ({ config, by, policies: [] as RawPolicy[] })
